import { fieldMessages } from '@perfume/domain/items';
import { describe, expect, test } from 'vitest';
import { loadArea } from '../../words/catalogues.ts';
import { languageNames } from '../../words/languages.ts';
import { speaking } from '../../words/words.tsx';
import { fieldError, fieldErrorText, type ItemField } from './item-fields.ts';

describe('the error of a field', () => {
  test.each<[ItemField, string, string | undefined]>([
    ['name', ' ', fieldMessages.required],
    ['name', 'Iris', undefined],
    ['name', 'x'.repeat(201), fieldMessages.tooLong(200)],
    ['price', '', fieldMessages.required],
    ['price', '58,50', undefined],
    ['price', '1.005', fieldMessages.ambiguousPrice],
    ['price', '1e3', fieldMessages.price],
    ['price', '.5', undefined],
    ['price', '-1', fieldMessages.price],
    ['quantity', '1.5', fieldMessages.quantity],
    ['quantity', '007', undefined],
    ['quantity', '1,000', fieldMessages.ambiguousQuantity],
    ['img', 'javascript:alert(1)', fieldMessages.imageUrl],
    ['img', '/uploads/0a1b.webp', undefined],
    ['description', '', fieldMessages.descriptionTooShort],
    ['description', '🌹'.repeat(49), fieldMessages.descriptionTooShort],
    ['description', '🌹'.repeat(50), undefined],
    ['suplierName', '', fieldMessages.required],
    ['email', 'somebody', fieldMessages.email],
  ])('%s %j: %s', (name, text, wrong) => {
    expect(fieldError(name, text)).toBe(wrong);
  });
});

describe.each(languageNames)('in %s', async (language) => {
  await loadArea(language, 'items');
  const words = speaking(language);

  test('every field message of the domain is translated', () => {
    const { unknown: _unknown, units: _units, tooLong, ...plain } = fieldMessages;
    const messages = [...Object.values(plain), ...[200, 254, 2_048, 5_000].map(tooLong)];
    const texts = messages.map((message) => fieldErrorText(message, words));
    expect(new Set(texts).size).toBe(messages.length);
    if (language === 'fr' || language === 'ar') expect(texts.filter((text) => messages.includes(text))).toEqual([]);
  });

  test('an unknown message of the server is shown as it is', () => {
    expect(fieldErrorText('Not on a Sunday', words)).toBe('Not on a Sunday');
  });
});
