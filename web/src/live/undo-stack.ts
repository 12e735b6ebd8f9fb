import { isRetryable } from '../api/query-client.ts';
import type { Offer } from '../ui/toast.ts';

/** What somebody did, without words: any language can tell it. */
export type What =
  | { kind: 'deliver' | 'restock'; name: string; count: number }
  | { kind: 'correct' | 'create' | 'edit' | 'delete' | 'restore'; name: string }
  | { kind: 'deliverEach' | 'deleteMany' | 'restoreMany'; count: number };

export type Action = {
  /** What it stands under in the history: the id of its entry, or of its batch. */
  id: string;
  /** The id of the item or of the batch it is about. One message at a time tells of that. */
  about: string;
  what: What;
  /** It is somebody's undo of `what`, asked for in the history. */
  isUndo?: boolean | undefined;
  /** Takes it back, and answers the action that was: taking that one back does the first again. */
  undo: (tell: (done: number) => void) => Promise<Action>;
  /** Of a bulk action: how many rows could not be taken along, and why the first of them could not. */
  left?: { count: number; problem: unknown };
};

const MOST = 100;
let owner = '';
let done: readonly Action[] = [];
let undone: readonly Action[] = [];
const watchers = new Set<() => void>();

/** What one person does in one tab. The next one to sign in here begins with nothing. */
export function resetStackFor(person: string): void {
  if (person === owner) return;
  owner = person;
  setStack([], []);
}

/** Something has been done here. From now on there is nothing to do again. */
export function performed(action: Action): void {
  setStack([...without(done, action), action], []);
}

/** For the button that takes actions back: it is there as long as they can be, and while it does so. */
export function offerOf(
  actions: readonly Action[],
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
  const isOpen = () => running || actions.every((action) => isDone(action) || isUndone(action));
  return { run: () => void run(), offer: { watch: watchStack, isOpen } };
}

export function isDone({ id }: Action): boolean {
  return done.some((action) => action.id === id);
}

/** Taking this back does something again. */
export function isUndone({ id }: Action): boolean {
  return undone.some((action) => action.id === id);
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
 * Takes an action back, wherever that was asked for: with the keys, in a toast, in the history. The stack follows, so
 * nothing is offered twice. Refused, it is no longer offered; unanswered, it still is.
 */
export async function performUndo(action: Action, { tell = () => {}, inHistory }: How = {}): Promise<Action> {
  const wasUndone = isUndone(action);
  const wasDone = isDone(action);
  setStack(without(done, action), without(undone, action));
  try {
    const isUndo = inHistory ? !inHistory.redoes : action.isUndo;
    const mirror = { ...(await action.undo(tell)), about: action.about, isUndo };
    if (inHistory) performed(mirror);
    else if (wasUndone) setStack([...done, mirror], undone);
    else setStack(done, [...without(undone, mirror), mirror]);
    return mirror;
  } catch (problem) {
    if (isRetryable(problem)) setStack(wasDone ? [...done, action] : done, wasUndone ? [...undone, action] : undone);
    throw problem;
  }
}

type Turn = (action: Action) => Promise<void>;

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
export async function trackPending<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** One after the other: two edits of one field can only be taken back in their order. */
function next(find: () => Action | undefined, turn: Turn): Promise<boolean> {
  const mine = queue.then(async () => {
    await Promise.allSettled(underWay);
    // What has just been answered is put on the stack by whoever asked for it.
    await new Promise((resolve) => setTimeout(resolve));
    const action = find();
    if (action) await turn(action);
    return action !== undefined;
  });
  queue = mine.catch(() => {});
  return mine;
}

function without(actions: readonly Action[], { id }: Action): readonly Action[] {
  return actions.filter((action) => action.id !== id);
}

function setStack(nextDone: readonly Action[], nextUndone: readonly Action[]): void {
  done = nextDone.slice(-MOST);
  undone = nextUndone;
  for (const watcher of watchers) watcher();
}

function watchStack(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
