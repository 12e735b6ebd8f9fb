import { isPassing } from '../api/query-client.ts';
import type { Offer } from '../ui/toast.ts';

/** What somebody did, without words: any language can tell it. */
export type What =
  | { kind: 'deliver' | 'restock'; name: string; count: number }
  | { kind: 'correct' | 'create' | 'edit' | 'delete' | 'restore'; name: string }
  | { kind: 'deliverEach' | 'deleteMany' | 'restoreMany'; count: number };

export type Deed = {
  /** What it stands under in the history: the id of its entry, or of its batch. */
  id: string;
  /** The id of the item or of the batch it is about. One message at a time tells of that. */
  about: string;
  what: What;
  /** It is somebody's undo of `what`, asked for in the history. */
  isUndo?: boolean | undefined;
  /** Takes it back, and answers the deed that was: taking that one back does the first again. */
  undo: (tell: (done: number) => void) => Promise<Deed>;
  /** Of a bulk action: how many rows could not be taken along, and why the first of them could not. */
  left?: { count: number; problem: unknown };
};

const MOST = 100;
let owner = '';
let done: readonly Deed[] = [];
let undone: readonly Deed[] = [];
const watchers = new Set<() => void>();

/** What one person does in one tab. The next one to sign in here begins with nothing. */
export function startStackOf(person: string): void {
  if (person === owner) return;
  owner = person;
  setStack([], []);
}

/** Something has been done here. From now on there is nothing to do again. */
export function did(deed: Deed): void {
  setStack([...without(done, deed), deed], []);
}

/** For the button that takes deeds back: it is there as long as they can be, and while it does so. */
export function offerOf(
  deeds: readonly Deed[],
  takeThemBack: () => Promise<unknown>,
): { run: () => void; offer: Offer } {
  let running = false;
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    await takeThemBack().finally(() => {
      running = false;
    });
  }
  const isOpen = () => running || deeds.every((deed) => isDone(deed) || isUndone(deed));
  return { run: () => void run(), offer: { watch: watchStack, isOpen } };
}

export function isDone({ id }: Deed): boolean {
  return done.some((deed) => deed.id === id);
}

/** Taking this back does something again. */
export function isUndone({ id }: Deed): boolean {
  return undone.some((deed) => deed.id === id);
}

type How = {
  tell?: ((done: number) => void) | undefined;
  /**
   * Asked for in the history, where anything can be undone: that is something new, whatever the stack knows of it, and
   * the next to be taken back. `redoes`: what is undone there was an undo itself.
   */
  inHistory?: { redoes: boolean } | undefined;
};

/**
 * Takes a deed back, wherever that was asked for: with the keys, in a toast, in the history. The stack follows, so
 * nothing is offered twice. Refused, it is no longer offered; unanswered, it still is.
 */
export async function takeBack(deed: Deed, { tell = () => {}, inHistory }: How = {}): Promise<Deed> {
  const wasUndone = isUndone(deed);
  const wasDone = isDone(deed);
  setStack(without(done, deed), without(undone, deed));
  try {
    const isUndo = inHistory ? !inHistory.redoes : deed.isUndo;
    const mirror = { ...(await deed.undo(tell)), about: deed.about, isUndo };
    if (inHistory) did(mirror);
    else if (wasUndone) setStack([...done, mirror], undone);
    else setStack(done, [...without(undone, mirror), mirror]);
    return mirror;
  } catch (problem) {
    if (isPassing(problem)) setStack(wasDone ? [...done, deed] : done, wasUndone ? [...undone, deed] : undone);
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

function setStack(nextDone: readonly Deed[], nextUndone: readonly Deed[]): void {
  done = nextDone.slice(-MOST);
  undone = nextUndone;
  for (const watcher of watchers) watcher();
}

function watchStack(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
