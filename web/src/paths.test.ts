import { pagePaths } from '@perfume/contract/page-paths';
import { safeReturnPath } from '@perfume/domain/return-path';
import { describe, expect, test } from 'vitest';
import { isDashboardPath, loginFrom, paths } from './paths.ts';
import { matchPath } from './ui/router.tsx';

test('an id is encoded in a path', () => {
  expect(paths.item('a/../b?c')).toBe('/dashboard/inventory/a%2F..%2Fb%3Fc');
});

test('no address leads to two pages', () => {
  for (const path of pagePaths) {
    const address = path.replaceAll(/:\w+/g, '7');
    expect(pagePaths.filter((pattern) => matchPath(pattern, address))).toEqual([path]);
  }
});

test('header and footer hide on any path containing /dashboard', () => {
  expect(isDashboardPath('/dashboard/my-item')).toBe(true);
  expect(isDashboardPath('/nowhere/dashboard')).toBe(true);
  expect(isDashboardPath('/x/dashboard/y')).toBe(true);
  // Routes ignore case too.
  expect(isDashboardPath('/Dashboard/my-item')).toBe(true);
  expect(isDashboardPath('/about')).toBe(false);
  expect(isDashboardPath('/about?from=/dashboard#/dashboard')).toBe(false);
});

describe('the return path after login', () => {
  test('keeps path, query and hash', () => {
    const login = loginFrom({ pathname: '/dashboard/my-item', search: '?q=a&b', hash: '#c' });
    expect(safeReturnPath(new URLSearchParams(login.split('?')[1]).get('from'))).toBe('/dashboard/my-item?q=a&b#c');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/\t/evil', '', null])(
    '%j leads to the home page',
    (from) => {
      expect(safeReturnPath(from)).toBe('/');
    },
  );
});
