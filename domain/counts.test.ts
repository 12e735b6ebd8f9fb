import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToLine, type CountEntry, correctedSince, differenceOf, lineOf, movedWhileCounted } from './counts.ts';
import type { MovementKind } from './ledger.ts';

const counting = ['scan', 'take back the last scan', 'count everything'] as const;
const moving = ['deliver', 'restock', 'click by mistake', 'undo a mistake', 'correct the ledger'] as const;
type Step = (typeof counting)[number] | (typeof moving)[number];

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Step[]>('scan') },
  { weight: 2, arbitrary: fc.constantFrom<Step[]>(...counting) },
  { weight: 2, arbitrary: fc.constantFrom<Step[]>(...moving) },
);

test('whatever moves during and after a count, posting the differences ends at the bottles on the shelf', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      fc.nat(9),
      fc.nat(9),
      fc.array(anyStep, { maxLength: 40 }),
      fc.boolean(),
      fc.array(fc.constantFrom(...moving), { maxLength: 9 }),
      (bottles, ledger, during, goesOn, after) => {
        const shelf = newShelf(bottles, ledger);
        for (const step of during) shelf[step]();
        shelf.finish(goesOn);
        for (const step of after) shelf[step]();
        if (shelf.isInDoubt()) shelf['count everything']();
        else decided++;
        expect(shelf.afterPosting()).toBe(shelf.onShelf());
      },
    ),
    { numRuns: 3_000 },
  );
  // Otherwise the rule would send people back to the shelf every time.
  expect(decided).toBeGreaterThan(300);
});

test('a line is the same whether it is kept entry by entry or made from all entries', () => {
  const units = fc.nat(9);
  const entry = fc.record({ kind: fc.constantFrom('add', 'set'), units, seq: units, quantity: units });
  fc.assert(
    fc.property(fc.array(entry), entry, (entries, last) => {
      expect(lineOf([...entries, last])).toEqual(addToLine(lineOf(entries), last));
    }),
  );
});

/** A shelf with real bottles beside the ledger that should describe it, and a count session of this one item. */
function newShelf(bottlesAtFirst: number, ledgerAtFirst: number) {
  const movements: { id: string; kind: MovementKind; delta: number; undoes: string | null }[] = [];
  const entries: (CountEntry & { bottle: number | null })[] = [];
  const bottles = new Set<number>();
  const mistakes: string[] = [];
  let scanned = new Set<number>();
  let made = 0;
  let doneSeq: number | null = null;

  const ledger = () => movements.reduce((sum, { delta }) => sum + delta, 0);
  const move = (kind: MovementKind, delta: number, undoes: string | null = null): string => {
    const id = `movement ${movements.length + 1}`;
    if (delta !== 0 || kind === 'opening') movements.push({ id, kind, delta, undoes });
    return id;
  };
  const scan = (bottle: number) => {
    scanned.add(bottle);
    doneSeq = null;
    entries.push({ kind: 'add', units: 1, seq: movements.length, quantity: ledger(), bottle });
  };
  const unscanned = () => [...bottles].filter((bottle) => !scanned.has(bottle));
  const line = () => {
    const counted = lineOf(entries);
    return counted && { ...counted, doneSeq: counted.doneSeq ?? doneSeq };
  };
  const undo = (mistake: string) => {
    const { delta } = movements.find(({ id }) => id === mistake) ?? { delta: 0 };
    if (ledger() - delta >= 0) move('undo', -delta, mistake);
  };

  for (made = 0; made < bottlesAtFirst; made++) bottles.add(made);
  move('opening', ledgerAtFirst);

  return {
    scan() {
      const [next] = unscanned();
      if (next !== undefined) scan(next);
    },
    'take back the last scan'() {
      const last = entries.at(-1);
      if (last?.bottle === null || last === undefined) return;
      entries.pop();
      scanned.delete(last.bottle);
    },
    'count everything'() {
      scanned = new Set(bottles);
      entries.push({ kind: 'set', units: bottles.size, seq: movements.length, quantity: ledger(), bottle: null });
    },
    deliver() {
      const [bottle] = bottles;
      // The ledger refuses to go below zero, and nobody takes a bottle that is not there.
      if (bottle === undefined || ledger() === 0) return;
      bottles.delete(bottle);
      move('deliver', -1);
    },
    restock() {
      bottles.add(made++);
      bottles.add(made++);
      move('restock', 2);
    },
    /** The ledger changes, but no bottle moves. */
    'click by mistake'() {
      if (ledger() > 0) mistakes.push(move('deliver', -1));
    },
    'undo a mistake'() {
      const mistake = mistakes.pop();
      if (mistake) undo(mistake);
    },
    'correct the ledger'() {
      if (ledger() === bottles.size) return;
      move('correction', bottles.size - ledger());
      // What the correction put right must not be undone as well.
      mistakes.length = 0;
    },
    /** Whoever counts scans every bottle that is left, and goes on to another item. An empty shelf is counted as zero. */
    finish(goesOn: boolean) {
      for (const bottle of unscanned()) scan(bottle);
      if (!line()) this['count everything']();
      if (goesOn) doneSeq = movements.length;
    },
    isInDoubt(): boolean {
      const counted = line();
      if (!counted) return true;
      // A mistake after the count is not the count's to find. Whoever made it takes it back.
      for (const mistake of mistakes.filter((one) => movements.findIndex(({ id }) => id === one) >= counted.last.seq))
        undo(mistake);
      return movedWhileCounted(counted, movements.length) || correctedSince(movements.slice(counted.last.seq));
    },
    afterPosting(): number {
      const counted = line();
      return ledger() + (counted ? differenceOf(counted) : 0);
    },
    onShelf: () => bottles.size,
  };
}
