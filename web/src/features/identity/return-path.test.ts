import { describe, expect, test } from 'vitest';
import { loginFrom, paths } from '../../paths.ts';
import { returnPath, withReturnPath } from './return-path.ts';

describe('the return path after login', () => {
  test('keeps path, query and hash through login and register', () => {
    const from = '/dashboard/my-item?q=a%26b&c=%C3%A9#d';
    const [pathname = '', rest = ''] = from.split('?');
    const [search, hash] = rest.split('#');
    const login = loginFrom({ pathname, search: `?${search}`, hash: `#${hash}` });
    const atLogin = returnPath(new URLSearchParams(login.split('?')[1]).get('from'));
    expect(atLogin).toBe(from);
    const register = withReturnPath(paths.register, atLogin);
    expect(returnPath(new URL(register, 'http://a').searchParams.get('from'))).toBe(from);
  });

  test.each([
    '/login',
    '/login/',
    '/login?from=/login',
    '/register#a',
    '/reset-password?token=x',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%2f/evil.example',
    '',
    null,
  ])('%j leads to the home page', (from) => {
    expect(returnPath(from)).toBe('/');
  });

  test('is left out for the home page', () => {
    expect(withReturnPath(paths.login, '/')).toBe('/login');
  });
});
