import type { WireEntry } from '@perfume/contract/history';
import { describe, expect, test } from 'vitest';
import { whatText } from '../../live/undo-text.ts';
import { testEntry } from '../../testing.ts';
import { loadArea } from '../../words/catalogues.ts';
import { speaking } from '../../words/words.tsx';
import { signed } from '../ledger/signed.ts';
import { changedPart, entryLabel, isRedo, valueText, whatOf } from './history-words.ts';

await loadArea('en', 'history');
const words = speaking('en');

const undo = (undoneKind: WireEntry['undoneKind'], delta: number) => testEntry({ kind: 'undo', undoneKind, delta });

describe('an entry', () => {
  test.each([
    [testEntry(), 'Delivered', false],
    [testEntry({ kind: 'opening', delta: 5 }), 'Created', false],
    [undo('deliver', 1), 'Delivery undone', true],
    [undo('deliver', -1), 'Delivery redone', false],
    [undo('restock', -5), 'Restock undone', true],
    [undo('restock', 5), 'Restock redone', false],
    [undo('correction', 5), 'Correction undone', false],
  ])('says what happened, and whether undoing it does something again (%#)', (one, word, redoes) => {
    expect([entryLabel(one, words), isRedo(one)]).toEqual([word, redoes]);
  });

  test.each([
    [testEntry({ delta: -3 }), 'delivery of 3 × Nuit'],
    [undo('restock', -4), 'restock of 4 × Nuit'],
    [testEntry({ kind: 'edited', delta: null }), 'edit of Nuit'],
    [testEntry({ kind: 'opening', delta: 9 }), 'creation of Nuit'],
    [undo('correction', 1), 'correction of Nuit'],
  ])('is described as an action (%#)', (one, text) => {
    expect(whatText(whatOf(one), words)).toBe(text);
  });
});

test('a difference has a sign, and a true minus', () => {
  expect([signed(-1, 'en-US'), signed(12, 'en-US'), signed(0, 'en-US')]).toEqual(['−1', '+12', '0']);
});

test('a value is formatted for people', () => {
  expect(valueText('price', 96.5, words)).toBe('$96.50');
  expect(valueText('reorderPoint', null, words)).toBe('warehouse setting');
  expect(valueText('reorderPoint', 1200, words)).toBe('1,200');
  expect(valueText('sku', null, words)).toBe('none');
  expect(valueText('barcodes', [], words)).toBe('none');
  expect(valueText('barcodes', ['A', 'B'], words)).toBe('A, B');
});

test('two long texts that start alike are shown from where they differ', () => {
  const long = 'Warm amber, sea salt and a thread of smoke on linen. The seventh trial was the one.';
  const [from, to] = changedPart(long, `${long} Rewritten.`);
  expect(from).toMatch(/^….* the one\.$/);
  expect(to).toMatch(/^….* the one\. Rewritten\.$/);
  expect(from.length).toBeLessThan(40);
  expect(changedPart('a', 'b')).toEqual(['a', 'b']);
});
