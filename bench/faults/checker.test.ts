import { problems } from '@perfume/contract/problems';
import { describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import type { Action, Attempt, FinalItem, History, Movement } from './history.ts';

const ITEM = 'item';

/** One attempt with the times of its request and response; without a status there was no response. */
function attempt(
  key: string | null,
  action: Action,
  [sentAt, answeredAt]: [number, number],
  status?: number,
  body?: object,
): Attempt {
  const answered =
    status === undefined
      ? { answeredAt: null, status: null, body: null }
      : { answeredAt, status, body: JSON.stringify(body) };
  return { client: 0, operation: 0, key, action, sentAt, ...answered };
}

const opened = attempt('opening', { what: 'create', name: 'Rose', quantity: 10 }, [0, 1], 201, {
  _id: ITEM,
  quantity: '10',
});
const take = (delta: number): Action => ({ what: 'move', item: ITEM, delta });
const left = (quantity: number) => ({ item: { _id: ITEM, quantity: String(quantity) } });
const unavailable = { code: 'unavailable', detail: problems.unavailable.detail };

/** An attempt in which somebody took some units and was told how many are left. */
function took(key: string, units: number, leaves: number, span: [number, number]): Attempt {
  return attempt(key, take(-units), span, 201, left(leaves));
}

/** The ledger of the item: an opening stock of ten, then these differences under these ids. */
function ledger(...rows: [id: string, delta: number, more?: Partial<Movement>][]): Movement[] {
  let quantity = 10;
  const first: Movement = { id: ITEM, kind: 'opening', delta: 10, quantityAfter: 10, note: null, undoes: null };
  return [
    first,
    ...rows.map(([id, delta, more]) => {
      quantity += delta;
      return { id, kind: 'deliver', delta, quantityAfter: quantity, note: null, undoes: null, ...more };
    }),
  ];
}

function history(attempts: Attempt[], rows: Movement[], more: Partial<FinalItem> = {}): History {
  const current = { name: 'Rose', quantity: rows.at(-1)?.quantityAfter ?? 0 };
  return { attempts: [opened, ...attempts], items: [{ id: ITEM, current, ledger: rows, events: [], ...more }] };
}

const kinds = (seen: History) => check(seen).map(({ kind }) => kind);
const read = (quantity: number | null, span: [number, number]) =>
  attempt(
    null,
    { what: 'read-item', item: ITEM },
    span,
    200,
    quantity === null ? [] : [{ _id: ITEM, quantity: String(quantity) }],
  );
const readRows = (rows: Movement[], span: [number, number]) =>
  attempt(null, { what: 'read-ledger', item: ITEM }, span, 200, rows.toReversed());

describe('accepts', () => {
  test('acknowledged, refused, unanswered and repeated changes, and reads in between', () => {
    const rows = ledger(['a', -1], ['b', -2], ['u', 1, { kind: 'undo', undoes: 'a' }]);
    const seen = history(
      [
        took('a', 1, 9, [2, 5]),
        read(10, [3, 4]),
        read(9, [3, 4]),
        attempt('b', take(-2), [6, 7]),
        attempt('c', take(-50), [6, 8], 409, { code: 'out_of_stock', onHand: 9 }),
        attempt('d', take(-1), [6, 8], 503, unavailable),
        took('a', 1, 9, [9, 10]),
        attempt('u', { what: 'undo', item: ITEM, movement: 'a' }, [11, 12], 201, left(8)),
        readRows(rows.slice(1), [13, 14]),
        attempt(null, { what: 'read-list' }, [13, 14], 200, [
          { _id: ITEM, quantity: '8' },
          { _id: 'of others', quantity: '1' },
        ]),
      ],
      rows,
    );
    expect(check(seen)).toEqual([]);
  });

  test('an item that was deleted and restored, and reads that did not find it meanwhile', () => {
    const events: FinalItem['events'] = [
      { id: 'gone', kind: 'deleted' },
      { id: 'back', kind: 'restored' },
    ];
    const seen = history(
      [
        attempt('gone', { what: 'delete', item: ITEM }, [2, 3], 200, { deletedCount: 1 }),
        attempt('gone too', { what: 'delete', item: ITEM }, [4, 5], 200, { deletedCount: 0 }),
        attempt('late', take(-1), [4, 5], 404, { code: 'item_not_found' }),
        read(null, [4, 5]),
        attempt('back', { what: 'restore', item: ITEM }, [6, 9], 200, { _id: ITEM, quantity: '10' }),
        read(10, [7, 8]),
        read(null, [7, 8]),
        read(10, [10, 11]),
      ],
      ledger(),
      { events },
    );
    expect(check(seen)).toEqual([]);
  });
});

describe('finds in the changes', () => {
  test('an acknowledged change that is missing from the ledger', () => {
    expect(check(history([took('a', 1, 9, [2, 3])], ledger()))).toEqual([
      { kind: 'lost', what: 'move -1 of item item under key a was acknowledged and is not there' },
    ]);
  });

  test('an acknowledged item that does not exist', () => {
    const made = attempt('b', { what: 'create', name: 'Iris', quantity: 3 }, [2, 3], 201, {
      _id: 'other',
      quantity: '3',
    });
    expect(kinds(history([made], ledger()))).toEqual(['lost']);
  });

  test('an acknowledged deletion without an entry', () => {
    const gone = attempt('b', { what: 'delete', item: ITEM }, [2, 3], 200, { deletedCount: 1 });
    expect(kinds(history([gone], ledger()))).toEqual(['lost']);
  });

  test('a change that is there twice, even under another id', () => {
    const rows = ledger(['a', -1], ['x', -1, { note: 'a' }]);
    expect(kinds(history([took('a', 1, 9, [2, 3])], rows))).toEqual(['doubled']);
  });

  test('an item that was created twice under one key', () => {
    const seen = history([], ledger());
    const [first] = seen.items;
    if (first) seen.items.push({ ...first, id: 'twin' });
    expect(kinds(seen)).toEqual(['doubled']);
  });

  test('a refused change that is in the ledger', () => {
    const refused = attempt('a', take(-50), [2, 3], 409, { code: 'out_of_stock', onHand: 10 });
    expect(kinds(history([refused], ledger(['a', -50, { quantityAfter: -40 }])))).toContain('refused but done');
  });

  test('a change that is there although every response said that nothing was changed', () => {
    const told = [attempt('a', take(-1), [2, 3], 503, unavailable), attempt('a', take(-1), [4, 5], 503, unavailable)];
    expect(kinds(history(told, ledger(['a', -1])))).toEqual(['refused but done']);
    const unsure = attempt('a', take(-1), [6, 7], 503, { code: 'outcome_unknown' });
    expect(kinds(history([...told, unsure], ledger(['a', -1])))).toEqual([]);
  });

  test('a row that nobody requested', () => {
    expect(kinds(history([], ledger(['x', -1])))).toEqual(['not requested']);
  });

  test('an entry that nobody requested', () => {
    const events: FinalItem['events'] = [{ id: 'x', kind: 'deleted' }];
    expect(kinds(history([], ledger(), { current: null, events }))).toEqual(['not requested']);
  });

  test('an item that nobody requested', () => {
    const seen = history([], ledger());
    seen.items.push({ id: 'y', current: { name: 'Musk', quantity: 10 }, ledger: ledger(), events: [] });
    expect(kinds(seen)).toEqual(['not requested']);
  });

  test('a wrong difference', () => {
    const put = attempt('a', { what: 'put', item: ITEM, base: 42, delta: -1 }, [2, 3], 200, { quantity: '5' });
    expect(kinds(history([put], ledger(['a', -5])))).toEqual(['wrong difference']);
  });

  test('an undo that is not the inverse', () => {
    const undo = attempt('u', { what: 'undo', item: ITEM, movement: 'a' }, [4, 5], 201, left(11));
    const rows = ledger(['a', -1], ['u', 2, { undoes: 'a' }]);
    expect(kinds(history([took('a', 1, 9, [2, 3]), undo], rows))).toEqual(['wrong difference']);
  });

  test('a change in the ledger of another item', () => {
    const elsewhere = attempt('a', { what: 'move', item: 'other', delta: -1 }, [2, 3], 201, left(9));
    expect(kinds(history([elsewhere], ledger(['a', -1])))).toEqual(['wrong difference']);
  });
});

describe('finds in the responses', () => {
  test('a quantity that differs from the ledger', () => {
    expect(kinds(history([took('a', 1, 8, [2, 3])], ledger(['a', -1])))).toEqual(['wrong answer']);
  });

  test('two different responses to one key', () => {
    const seen = [took('a', 1, 9, [2, 3]), attempt('a', take(-1), [4, 5], 409, { code: 'out_of_stock' })];
    expect(kinds(history(seen, ledger(['a', -1])))).toEqual(['answer changed']);
  });

  test('a response of an undocumented kind', () => {
    const broken = attempt('a', take(-1), [2, 3], 500, { code: 'internal' });
    expect(kinds(history([broken], ledger()))).toEqual(['not an answer']);
  });
});

describe('finds in the ledger', () => {
  test('a row that does not continue the sum', () => {
    const rows = ledger(['a', -1, { quantityAfter: 8 }], ['b', -1]);
    const seen = history([took('a', 1, 8, [2, 3]), took('b', 1, 8, [4, 5])], rows);
    expect(kinds(seen)).toEqual(['unbalanced', 'unbalanced']);
  });

  test('a quantity below zero', () => {
    expect(kinds(history([took('a', 11, -1, [2, 3])], ledger(['a', -11])))).toEqual(['unbalanced']);
  });

  test('an item whose quantity differs from the sum of its ledger', () => {
    const seen = history([took('a', 1, 9, [2, 3])], ledger(['a', -1]), { current: { name: 'Rose', quantity: 10 } });
    expect(kinds(seen)).toEqual(['unbalanced']);
  });

  test('a ledger that does not start with the opening', () => {
    const [first] = ledger();
    expect(kinds(history([], first ? [{ ...first, kind: 'restock' }] : []))).toEqual(['unbalanced']);
  });

  test('an item that exists although it was deleted last', () => {
    const gone = attempt('b', { what: 'delete', item: ITEM }, [2, 3], 200, { deletedCount: 1 });
    expect(kinds(history([gone], ledger(), { events: [{ id: 'b', kind: 'deleted' }] }))).toEqual(['unbalanced']);
  });

  test('a change that comes before one that was acknowledged earlier', () => {
    const early = took('a', 1, 7, [2, 3]);
    expect(kinds(history([early, took('b', 2, 8, [4, 5])], ledger(['b', -2], ['a', -1])))).toEqual(['out of order']);
    expect(kinds(history([early, took('b', 2, 8, [2.5, 5])], ledger(['b', -2], ['a', -1])))).toEqual([]);
  });
});

describe('finds in the reads', () => {
  const taken = took('a', 1, 9, [2, 3]);
  const rows = ledger(['a', -1]);

  test('a read that misses what was acknowledged before it was sent', () => {
    expect(kinds(history([taken, read(10, [4, 5])], rows))).toEqual(['impossible read']);
  });

  test('a read of a change that was sent after the response', () => {
    expect(kinds(history([taken, read(9, [1, 1.5])], rows))).toEqual(['impossible read']);
  });

  test('a quantity that the item never had, also in a list', () => {
    expect(kinds(history([taken, read(7, [2, 4])], rows))).toEqual(['impossible read']);
    const list = attempt(null, { what: 'read-list' }, [2, 4], 200, [{ _id: ITEM, quantity: '7' }]);
    expect(kinds(history([taken, list], rows))).toEqual(['impossible read']);
  });

  test('a page of the ledger that misses acknowledged rows or differs from the end', () => {
    const page = (seen: Movement[], span: [number, number]) => kinds(history([taken, readRows(seen, span)], rows));
    expect(page(rows, [4, 5])).toEqual([]);
    expect(page(rows.slice(0, 1), [4, 5])).toEqual(['impossible read']);
    expect(page(rows, [0.5, 1])).toEqual(['impossible read']);
    expect(page(ledger(['x', -1]), [4, 5])).toEqual(['impossible read']);
    expect(page(ledger(['a', -2]), [4, 5])).toEqual(['impossible read']);
  });

  test('a refusal that names a quantity the item did not have', () => {
    const refused = attempt('b', take(-50), [4, 5], 409, { code: 'out_of_stock', onHand: 10 });
    expect(kinds(history([taken, refused], rows))).toEqual(['impossible read']);
  });

  test('an undo that does not find an acknowledged change', () => {
    const undo = attempt('u', { what: 'undo', item: ITEM, movement: 'a' }, [4, 5], 404, { code: 'movement_not_found' });
    expect(kinds(history([taken, undo], rows))).toEqual(['impossible read']);
  });

  test('a missing item that nobody may have deleted', () => {
    expect(kinds(history([read(null, [2, 3])], ledger()))).toEqual(['impossible read']);
    expect(kinds(history([attempt('b', take(-1), [2, 3], 404, { code: 'item_not_found' })], ledger()))).toEqual([
      'impossible read',
    ]);
    const events: FinalItem['events'] = [
      { id: 'g', kind: 'deleted' },
      { id: 'r', kind: 'restored' },
    ];
    const gone = attempt('g', { what: 'delete', item: ITEM }, [2, 3], 200, { deletedCount: 1 });
    const back = attempt('r', { what: 'restore', item: ITEM }, [6, 7], 200, { _id: ITEM, quantity: '10' });
    expect(kinds(history([gone, back, read(null, [8, 9])], ledger(), { events }))).toEqual(['impossible read']);
    expect(kinds(history([gone, back, read(10, [4, 5])], ledger(), { events }))).toEqual(['impossible read']);
  });

  test('a read of an item that does not exist at the end', () => {
    const stranger = attempt(null, { what: 'read-item', item: 'other' }, [2, 3], 200, [
      { _id: 'other', quantity: '1' },
    ]);
    expect(kinds(history([stranger], ledger()))).toEqual(['impossible read']);
  });
});
