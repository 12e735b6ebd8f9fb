import { expect, test } from 'vitest';
import { isSameQuery, queryOf, viewLink } from './view-link.ts';

const id = '0198c0de-0000-7000-8000-000000000001';

test('the address of a view is its page with its filters and its id', () => {
  expect(viewLink({ id, page: 'manageInventory', query: 'q=oud&stock=low' })).toBe(
    `/dashboard/manage-inventory?q=oud&stock=low&view=${id}`,
  );
  expect(viewLink({ id, page: 'history', query: '' })).toBe(`/dashboard/history?view=${id}`);
});

test('what a view stores leads back to the same filters, without the id and the instant of the time machine', () => {
  const search = new URLSearchParams(`q=rose+oud&view=${id}&at=2026-03-01T12:00:00Z&stock=low`);
  expect(queryOf(search)).toBe('q=rose+oud&stock=low');
  expect(queryOf(new URLSearchParams(`view=${id}`))).toBe('');
});

test('two query strings are the same in whatever order', () => {
  expect(isSameQuery('stock=low&q=oud', 'q=oud&stock=low')).toBe(true);
  expect(isSameQuery('q=a%20b', 'q=a+b')).toBe(true);
  expect(isSameQuery('stock=low', 'stock=out')).toBe(false);
  expect(isSameQuery('', 'stock=out')).toBe(false);
});
