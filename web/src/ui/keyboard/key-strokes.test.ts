import { describe, expect, test } from 'vitest';
import { keyLabels, strokeOf, takeStroke } from './key-strokes.ts';

const nothingHeld = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const ctrl = { ...nothingHeld, ctrlKey: true };
const meta = { ...nothingHeld, metaKey: true };
const shift = { ...nothingHeld, shiftKey: true };

describe('a press', () => {
  test('with Ctrl, or with ⌘ on a Mac, is a mod press', () => {
    expect(strokeOf({ ...ctrl, key: 'k' }, false)).toBe('mod+k');
    expect(strokeOf({ ...meta, key: 'k' }, true)).toBe('mod+k');
    expect(strokeOf({ ...ctrl, shiftKey: true, key: 'Z' }, false)).toBe('mod+shift+z');
  });

  test('with any other modifier is ignored', () => {
    expect(strokeOf({ ...meta, key: 'k' }, false)).toBeNull();
    expect(strokeOf({ ...ctrl, key: 'k' }, true)).toBeNull();
    expect(strokeOf({ ...ctrl, altKey: true, key: 'k' }, false)).toBeNull();
    expect(strokeOf({ ...shift, key: 'G' }, false)).toBeNull();
  });

  test('of a character ignores the Shift needed to type it', () => {
    expect(strokeOf({ ...shift, key: '?' }, false)).toBe('?');
    expect(strokeOf({ ...shift, key: '/' }, false)).toBe('/');
  });

  test('on an Arabic keyboard is the Latin key at the same position', () => {
    expect(strokeOf({ ...nothingHeld, key: 'ل', code: 'KeyG' }, false)).toBe('g');
    expect(strokeOf({ ...ctrl, key: 'ن', code: 'KeyK' }, false)).toBe('mod+k');
    expect(strokeOf({ ...shift, key: '؟', code: 'Slash' }, false)).toBe('?');
  });

  test('with Caps Lock on is the same press', () => {
    expect(strokeOf({ ...nothingHeld, key: 'G' }, false)).toBe('g');
  });
});

describe('a shortcut of two presses', () => {
  const known = ['g h', 'g m', '?', 'mod+k'];

  test('is found with the second key', () => {
    expect(takeStroke('', 'g', known)).toEqual({ found: null, pending: 'g' });
    expect(takeStroke('g', 'm', known)).toEqual({ found: 'g m', pending: '' });
  });

  test('that is interrupted gives way to the new key', () => {
    expect(takeStroke('g', '?', known)).toEqual({ found: '?', pending: '' });
    expect(takeStroke('g', 'x', known)).toEqual({ found: null, pending: '' });
    expect(takeStroke('g', 'g', known)).toEqual({ found: null, pending: 'g' });
  });
});

describe('a shortcut with a number before it', () => {
  const known = ['d', 'x', 'g d'];
  const take = (before: string, stroke: string) => takeStroke(before, stroke, known, ['d']);

  test('gets the number', () => {
    expect(take('', '1')).toEqual({ found: null, pending: '1' });
    expect(take('1', '2')).toEqual({ found: null, pending: '12' });
    expect(take('12', 'd')).toEqual({ found: 'd', pending: '', count: 12 });
    expect(take('0', 'd')).toEqual({ found: 'd', pending: '', count: 1 });
    expect(take('', 'd')).toEqual({ found: 'd', pending: '' });
  });

  test('that takes none ignores the number', () => {
    expect(take('5', 'x')).toEqual({ found: 'x', pending: '' });
    expect(take('5', 'g')).toEqual({ found: null, pending: 'g' });
    expect(take('g', '5')).toEqual({ found: null, pending: '5' });
    expect(takeStroke('', '5', known)).toEqual({ found: null, pending: '' });
  });

  test('reads the digits of an Arabic keyboard', () => {
    expect(strokeOf({ ...nothingHeld, key: '٥', code: 'Digit5' }, false)).toBe('5');
  });
});

test('keys are labelled as on the keyboard', () => {
  expect(keyLabels('mod+k', false)).toEqual([['Ctrl', 'K']]);
  expect(keyLabels('mod+shift+z', true)).toEqual([['⌘', '⇧', 'Z']]);
  expect(keyLabels('g h', false)).toEqual([['G'], ['H']]);
});
