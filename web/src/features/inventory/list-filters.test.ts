import { describe, expect, test } from 'vitest';
import { filtersKey, matchKey, readListFilters, scrollKey, withListFilters } from './list-filters.ts';

const read = (search: string) => readListFilters(new URLSearchParams(search), 'all', 'a@example.com');

describe('the filters in a URL', () => {
  test('are read from the query string', () => {
    const { sort, stock, q } = read('q=oud&sort=-price&stock=low');
    expect({ q, sort, stock }).toEqual({ q: 'oud', sort: '-price', stock: 'low' });
  });

  test.each([
    'sort=cheapest',
    'stock=full',
    'sort=toString',
    'q=%20%20',
    'q=%00',
    'stock=',
    'at=then',
    'at=2999-01-01T00:00:00Z',
  ])('ignore %s', (search) => {
    expect(read(search)).toEqual(read(''));
  });

  test('cut a search to the length the server accepts', () => {
    expect(read(`q=${'a'.repeat(300)}`).q).toHaveLength(200);
  });

  test('include the email only for My Items, which has no search', () => {
    expect(read('').email).toBe('');
    expect(readListFilters(new URLSearchParams('q=oud'), 'mine', 'a@example.com')).toMatchObject({
      email: 'a@example.com',
      q: '',
    });
  });

  test('may name an instant of the past, but not for My Items', () => {
    expect(read('at=2026-03-01T12:00:00Z').at).toBe('2026-03-01T12:00:00Z');
    expect(read('')).not.toHaveProperty('at');
    const mine = readListFilters(new URLSearchParams('at=2026-03-01T12:00:00Z'), 'mine', 'a@example.com');
    expect(mine).not.toHaveProperty('at');
    expect(withListFilters(new URLSearchParams('q=oud&at=2026-03-01T12:00:00Z'), { at: null }).toString()).toBe(
      'q=oud',
    );
  });

  test('leave out defaults and keep unknown parameters', () => {
    const next = withListFilters(new URLSearchParams('q=oud&sort=price&x=1'), { sort: 'newest', stock: 'out' });
    expect(next.toString()).toBe('q=oud&x=1&stock=out');
    expect(withListFilters(next, { stock: null, q: '' }).toString()).toBe('x=1');
  });
});

test('sorting changes the filters key but not the match key', () => {
  expect(matchKey(read('q=oud&sort=price'))).toBe(matchKey(read('q=oud')));
  expect(filtersKey(read('q=oud&sort=price'))).not.toBe(filtersKey(read('q=oud')));
  expect(matchKey(read('q=oud&stock=in'))).not.toBe(matchKey(read('q=oud')));
});

test('the time machine changes the filters key but keeps the scroll position', () => {
  expect(filtersKey(read('at=2026-03-01T12:00:00Z'))).not.toBe(filtersKey(read('')));
  expect(scrollKey(read('at=2026-03-01T12:00:00Z'))).toBe(scrollKey(read('')));
  expect(scrollKey(read('sort=price'))).not.toBe(scrollKey(read('')));
});
