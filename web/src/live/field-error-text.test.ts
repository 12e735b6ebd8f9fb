import { fieldSentences } from '@perfume/domain/field-errors';
import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import { loadArea } from '../words/catalogues.ts';
import { languageNames } from '../words/languages.ts';
import { speaking } from '../words/words.tsx';
import { fieldErrorText, refusedFields } from './field-error-text.ts';

const codes = [
  'required',
  'too_long',
  'hidden_characters',
  'not_an_email',
  'password_too_short',
  'password_too_common',
  'password_is_personal',
  'description_too_short',
  'not_a_price',
  'ambiguous_price',
  'not_a_whole_number',
  'ambiguous_quantity',
  'not_a_web_address',
  'picture_gone',
  'wrong_check_digit',
  'code_taken',
  'too_many',
] as const;

describe.each(languageNames)('in %s', async (language) => {
  await Promise.all((['site', 'identity', 'item-form'] as const).map((area) => loadArea(language, area)));
  const words = speaking(language);

  test.each(codes)('%s has a text of its own', (code) => {
    const text = fieldErrorText(code, words, { max: 200 });
    expect(text).not.toMatch(/_|field\./);
    expect(codes.filter((other) => fieldErrorText(other, words, { max: 200 }) === text)).toEqual([code]);
  });

  test('a field that is too long says how long it may be', () => {
    expect(fieldErrorText('too_long', words, { max: 200 })).toMatch(/200|٢٠٠/);
  });
});

describe('a field the server refused', () => {
  test('shows the text of its code in the language of the page, whatever the sentence says', () => {
    const fields = { name: 'Fill this in', price: fieldSentences.required };
    const problem = new ApiProblem('invalid_input', 422, {
      fields,
      fieldCodes: { name: 'required', price: 'not_a_price' },
    });
    expect(refusedFields(problem)).toEqual({ name: 'required', price: 'not_a_price' });
    expect(fieldErrorText('required', speaking('fr'))).toBe('Ce champ est obligatoire');
  });

  test('has the name of its input, also in an edit', () => {
    const problem = new ApiProblem('invalid_input', 422, {
      fields: { 'changes.name': 'Fill this in' },
      fieldCodes: { 'changes.name': 'required' },
    });
    expect(refusedFields(problem)).toEqual({ name: 'required' });
  });

  test.each([{}, { name: 'not_on_sunday' }, { name: 'constructor' }])(
    'shows the sentence when the code is not known here: %j',
    (fieldCodes) => {
      const problem = new ApiProblem('invalid_input', 422, {
        fields: { name: 'Not on a Sunday' },
        fieldCodes: fieldCodes as Record<string, 'required'>,
      });
      expect(refusedFields(problem)).toEqual({ name: 'Not on a Sunday' });
      expect(fieldErrorText('Not on a Sunday', speaking('fr'))).toBe('Not on a Sunday');
    },
  );
});
