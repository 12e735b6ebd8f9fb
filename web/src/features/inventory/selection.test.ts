import { describe, expect, test } from 'vitest';
import {
  type AllMatching,
  countSelected,
  forget,
  isSelected,
  nothing,
  parseSelection,
  type Selection,
  select,
  selectionFor,
  serializeSelection,
} from './selection.ts';

const row = (id: string, createdAt = 1) => ({ id, createdAt });
const all: AllMatching = {
  kind: 'all',
  match: 'oud',
  count: 100_000,
  upTo: 10,
  except: new Set(),
  also: new Set(),
};

describe('selecting rows one by one', () => {
  test('adds, removes and counts', () => {
    const three = select(nothing, [row('a'), row('b'), row('c')], true);
    const two = select(three, [row('b')], false);
    expect(['a', 'b', 'c'].map((id) => isSelected(two, row(id)))).toEqual([true, false, true]);
    expect([countSelected(three), countSelected(two), countSelected(nothing)]).toEqual([3, 2, 0]);
  });

  test('survives another search', () => {
    const one = select(nothing, [row('a')], true);
    expect(selectionFor('another', one)).toBe(one);
  });

  test('drops rows that are gone', () => {
    const two = select(nothing, [row('a'), row('b')], true);
    expect(countSelected(forget(two, ['b', 'c']))).toBe(1);
    expect(forget(two, ['x'])).toBe(two);
  });
});

describe('everything a search matches', () => {
  test('is selected without listing ids, except what is deselected', () => {
    const most = select(all, [row('b')], false);
    expect([isSelected(most, row('a')), isSelected(most, row('b'))]).toEqual([true, false]);
    expect(countSelected(most)).toBe(99_999);
    expect(countSelected(select(most, [row('b')], true))).toBe(100_000);
  });

  test('does not include items created later, unless selected one by one', () => {
    const late = row('late', 11);
    expect(isSelected(all, late)).toBe(false);
    const more = select(all, [late], true);
    expect([isSelected(more, late), countSelected(more)]).toEqual([true, 100_001]);
    expect(countSelected(select(more, [late], false))).toBe(100_000);
  });

  test('applies only to that search', () => {
    expect(selectionFor('oud', all)).toBe(all);
    expect(selectionFor('rose', all)).toBe(nothing);
  });
});

test('a selection survives serialization; anything else parses as empty', () => {
  const selections: Selection[] = [
    select(nothing, [row('a'), row('b')], true),
    select(select(all, [row('a')], false), [row('late', 11)], true),
  ];
  for (const one of selections) expect(parseSelection(serializeSelection(one))).toEqual(one);
  for (const text of [null, '', 'null', '{"kind":"some","ids":5}']) expect(parseSelection(text)).toEqual(nothing);
});
