import { isPassing } from '../../api/query-client.ts';

/** What somebody did, without words: any language can tell it. */
export type What =
  | { kind: 'deliver' | 'restock'; name: string; count: number }
  | { kind: 'correct' | 'create' | 'edit' | 'delete' | 'restore'; name: string }
  | { kind: 'deliverEach' | 'deleteMany' | 'restoreMany'; count: number };

export type Deed = {
  /** What it stands under in the history: the id of its entry, or of its batch. */
  id: string;
  what: What;
  /** Takes it back, and answers the deed that was: taking that one back does the first again. */
  undo: (tell: (done: number) => void) => Promise<Deed>;
  /** Of a bulk action: how many rows could not be taken along, and why the first of them could not. */
  left?: { count: number; problem: unknown };
};

const MOST = 100;
let owner = '';
let done: readonly Deed[] = [];
let undone: readonly Deed[] = [];

/** What one person does in one tab. The next one to sign in here begins with nothing. */
export function startStackOf(person: string): void {
  if (person === owner) return;
  owner = person;
  done = [];
  undone = [];
}

/** Something has been done here. From now on there is nothing to do again. */
export function did(deed: Deed): void {
  done = [...without(done, deed), deed].slice(-MOST);
  undone = [];
}

/**
 * Takes a deed back, wherever that was asked for: with the keys, in a toast, in the history. The stack follows, so
 * nothing is offered twice. Refused, it is no longer offered; unanswered, it still is.
 */
export async function takeBack(deed: Deed, tell: (done: number) => void = () => {}): Promise<Deed> {
  const wasDone = done.some(({ id }) => id === deed.id);
  const wasUndone = undone.some(({ id }) => id === deed.id);
  done = without(done, deed);
  undone = without(undone, deed);
  try {
    const mirror = await deed.undo(tell);
    if (wasDone) undone = [...undone, mirror];
    else done = [...done, mirror].slice(-MOST);
    return mirror;
  } catch (problem) {
    if (isPassing(problem) && wasDone) done = [...done, deed];
    if (isPassing(problem) && wasUndone) undone = [...undone, deed];
    throw problem;
  }
}

type Turn = (deed: Deed) => Promise<void>;

/** Gives the last thing done to whoever takes it back. False when there is none. */
export function undoLast(turn: Turn): Promise<boolean> {
  return next(() => done.at(-1), turn);
}

/** Gives the last thing taken back to whoever does it again. False when there is none. */
export function redoLast(turn: Turn): Promise<boolean> {
  return next(() => undone.at(-1), turn);
}

const underWay = new Set<Promise<unknown>>();

/** A click that is not answered yet: whoever presses undo in that moment means this one, not the one before. */
export async function whileUnderWay<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** One after the other: two edits of one field can only be taken back in their order. */
function next(find: () => Deed | undefined, turn: Turn): Promise<boolean> {
  const mine = queue.then(async () => {
    await Promise.allSettled(underWay);
    // What has just been answered is put on the stack by whoever asked for it.
    await new Promise((resolve) => setTimeout(resolve));
    const deed = find();
    if (deed) await turn(deed);
    return deed !== undefined;
  });
  queue = mine.catch(() => {});
  return mine;
}

function without(deeds: readonly Deed[], { id }: Deed): readonly Deed[] {
  return deeds.filter((deed) => deed.id !== id);
}
