import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

const OURS = 'https://stock.example.com';

describe('a return path', () => {
  test.each([
    '/',
    '/dashboard/manage-inventory?q=iris&sort=-price#row-3',
    '/dashboard/inventory/0190?from=/x',
    '/blogs#%20a',
    '/caf%C3%A9',
    '/login?next=https://evil.example',
  ])('is kept as it is: %s', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/%2f/evil.example',
    '/%2F%2Fevil.example',
    '/%252f%252fevil.example',
    '/%5cevil.example',
    '/%255cevil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/%00',
    '/%zz',
    ' /x',
    'javascript:alert(1)',
    'evil.example',
    '@evil.example',
    '',
    '/\u0085/x',
    '/\ud800',
    `/${'x'.repeat(3_000)}`,
    null,
    undefined,
    7,
    ['/x'],
  ])('falls back to the home page: %j', (given) => {
    expect(safeReturnPath(given)).toBe('/');
  });

  test('never leads a browser to another site', () => {
    const piece = fc.constantFrom(
      ...[
        '/',
        '\\',
        '//',
        '.',
        '..',
        '%2f',
        '%5c',
        '%09',
        '%252f',
        '\t',
        '\n',
        ' ',
        ':',
        '@',
        '?',
        '#',
        'evil.example',
      ],
      ...['https:', 'javascript:', '%', '\u0000', '／', '。', 'x', '\u202e'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const kept = safeReturnPath(`/${pieces.join('')}`);
        const seen = new URL(kept, OURS);
        expect(seen.origin).toBe(OURS);
        expect(seen.pathname.startsWith('//')).toBe(false);
        expect(new URL(decodeURIComponent(seen.pathname), OURS).origin).toBe(OURS);
        expect(safeReturnPath(kept)).toBe(kept);
      }),
      { numRuns: 5_000 },
    );
  });
});
