import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkViewName, checkViewQuery, VIEW_NAME_MAX, VIEW_QUERY_MAX } from './views.ts';

test('the name of a view is one line of at most 80 characters, without spaces around it', () => {
  expect(checkViewName('  Low stock ')).toEqual({ ok: true, value: 'Low stock' });
  expect(checkViewName('🌸'.repeat(VIEW_NAME_MAX)).ok).toBe(true);
  expect(checkViewName('x'.repeat(VIEW_NAME_MAX + 1))).toEqual({ ok: false, error: { code: 'too_long', max: 80 } });
  expect(checkViewName('  ')).toEqual({ ok: false, error: { code: 'required' } });
  expect(checkViewName('two\nlines').ok).toBe(false);
});

test('every query string that a browser writes is accepted as it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme' }), fc.string())),
      (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        fc.pre(query.length <= VIEW_QUERY_MAX);
        expect(checkViewQuery(query)).toEqual({ ok: true, value: query });
      },
    ),
  );
  expect(checkViewQuery('')).toEqual({ ok: true, value: '' });
});

test.each(['?stock=low', 'stock', 'stock=low&', '=low', 'a=b#c', 'a=b c', 'a=<b>', 'a=b/../c', 'a=b\n', 7, null])(
  'refuses %j as a query string',
  (input) => expect(checkViewQuery(input)).toEqual({ ok: false, error: { code: 'not_a_query' } }),
);

test('refuses a query string of more than 2,000 characters, and answers at once', () => {
  expect(checkViewQuery(`q=${'x'.repeat(VIEW_QUERY_MAX - 2)}`).ok).toBe(true);
  expect(checkViewQuery(`q=${'x'.repeat(VIEW_QUERY_MAX - 1)}`)).toMatchObject({ error: { code: 'too_long' } });
  expect(checkViewQuery(`${'a=b&'.repeat(499)}!`).ok).toBe(false);
});
