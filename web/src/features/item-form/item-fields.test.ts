import { describe, expect, test } from 'vitest';
import { fieldError, type ItemField } from './item-fields.ts';

describe('the error of a field', () => {
  test.each<[ItemField, string, string | undefined]>([
    ['name', ' ', 'required'],
    ['name', 'Iris', undefined],
    ['name', 'x'.repeat(201), 'too_long'],
    ['price', '', 'required'],
    ['price', '58,50', undefined],
    ['price', '1.005', 'ambiguous_price'],
    ['price', '1e3', 'not_a_price'],
    ['price', '.5', undefined],
    ['price', '-1', 'not_a_price'],
    ['quantity', '1.5', 'not_a_whole_number'],
    ['quantity', '007', undefined],
    ['quantity', '1,000', 'ambiguous_quantity'],
    ['imageUrl', 'javascript:alert(1)', 'not_a_web_address'],
    ['imageUrl', '/uploads/0a1b.webp', undefined],
    ['description', '', 'description_too_short'],
    ['description', '🌹'.repeat(49), 'description_too_short'],
    ['description', '🌹'.repeat(50), undefined],
    ['supplierName', '', 'required'],
    ['email', 'somebody', 'not_an_email'],
  ])('%s %j: %s', (name, text, wrong) => {
    expect(fieldError(name, text)).toBe(wrong);
  });
});
