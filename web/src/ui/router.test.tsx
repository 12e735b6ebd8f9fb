import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Link, NavLink } from './link.tsx';
import { currentLocation, hrefOf, matchPath, StaticRouter, useLocation, useParams } from './router.tsx';

describe('a path fits a pattern', () => {
  test.each([
    ['/', '/', {}],
    ['/about', '/about/', {}],
    ['/about', '/About', {}],
    ['/items/:id', '/items/a%2Fb%20c', { id: 'a/b c' }],
    ['/items/:id/edit', '/items/7/edit', { id: '7' }],
    ['/houses/:slug', '/houses/%E0%A4%A', { slug: '%E0%A4%A' }],
    ['/dashboard/*', '/dashboard', {}],
    ['/dashboard/*', '/Dashboard/floor/', {}],
    ['/items/:id/*', '/items/7/edit', { id: '7' }],
  ])('%s: %s', (pattern, pathname, params) => {
    expect(matchPath(pattern, pathname)).toEqual(params);
  });

  test.each([
    ['/', '/about'],
    ['/about', '/'],
    ['/about', '/about/us'],
    ['/about', '/about%2Fus'],
    ['/items/:id', '/items/'],
    ['/items/:id', '/items//'],
    ['/items/:id', '/items/7/edit'],
    ['/items/:id', '//items/7'],
    ['/items/:id/*', '/items'],
    ['/dashboard/*', '/dashboards'],
  ])('but not %s: %s', (pattern, pathname) => {
    expect(matchPath(pattern, pathname)).toBeNull();
  });

  // With a slow pattern this would take minutes, on the server as well.
  test('however many slashes somebody sends', () => {
    const slashes = '/'.repeat(400_000);
    expect(matchPath('/about', `/about${slashes}x`)).toBeNull();
    expect(matchPath('/about', `/about${slashes}`)).toEqual({});
    expect(matchPath('/dashboard/*', `/dashboard${slashes}x`)).toEqual({});
  });
});

describe('an address', () => {
  test.each([
    ['/a?b=c#d', '/a?b=c#d'],
    ['/a#d?e', '/a#d?e'],
    ['?b=c', '/here?b=c'],
    ['?', '/here'],
    ['#d', '/here#d'],
    [{ search: 'b=c' }, '/here?b=c'],
    [{ search: '' }, '/here'],
    [{ pathname: '/a', search: '?b=c', hash: '#d' }, '/a?b=c#d'],
  ])('%j is %s', (to, href) => {
    expect(hrefOf(to, '/here')).toBe(href);
  });

  test.each(['//evil.example', '/\\evil.example', '\\/evil.example', '/\t/evil.example', ' //evil.example'])(
    '%j stays on this site',
    (path) => {
      for (const href of [hrefOf(path, '/'), hrefOf({ pathname: path }, '/'), hrefOf('?q=a', path)])
        expect(new URL(href, 'https://shop.example').origin).toBe('https://shop.example');
    },
  );
});

describe('the current location', () => {
  const history: { state: unknown } = { state: null };
  beforeEach(() =>
    vi.stubGlobal('window', { location: { pathname: '/a', search: '?b', hash: '#c', host: 'shop.example' }, history }),
  );
  afterEach(() => {
    history.state = null;
    vi.unstubAllGlobals();
  });

  test('has the key and state that navigation gave it', () => {
    history.state = { key: 'k', state: { ids: ['7'] } };
    expect(currentLocation()).toEqual({ pathname: '/a', search: '?b', hash: '#c', key: 'k', state: { ids: ['7'] } });
  });

  test('of a page that was just opened has neither', () => {
    expect(currentLocation()).toMatchObject({ key: 'default', state: null });
  });
});

test('the server renders the address that was asked for', () => {
  function Page() {
    const { pathname, search, hash } = useLocation();
    const { slug } = useParams('/houses/:slug');
    return (
      <>
        {pathname} {search} {hash} {slug}
        <Link to="?q=a">search</Link>
        <NavLink to="/Houses/grasse">here</NavLink>
      </>
    );
  }
  const html = renderToString(
    <StaticRouter pathname="/houses/grasse" search="?q=b">
      <Page />
    </StaticRouter>,
  ).replaceAll('<!-- -->', '');
  expect(html).toBe(
    '/houses/grasse ?q=b  grasse<a href="/houses/grasse?q=a">search</a>' +
      '<a aria-current="page" href="/Houses/grasse">here</a>',
  );
});
