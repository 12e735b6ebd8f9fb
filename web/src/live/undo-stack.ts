import { isRetryable } from '../api/query-client.ts';
import { createStore } from '../ui/store.ts';
import type { Availability } from '../ui/toast.ts';

/** What the user did, as data instead of text: each language has its own text for it. */
export type What =
  | { kind: 'deliver' | 'restock'; name: string; count: number }
  | { kind: 'settings' }
  | { kind: 'correct' | 'create' | 'edit' | 'delete' | 'restore'; name: string }
  | { kind: 'saveView' | 'changeView' | 'deleteView'; name: string }
  | { kind: 'deliverEach' | 'restockEach'; count: number; units: number }
  | { kind: 'correctMany' | 'editMany' | 'deleteMany' | 'restoreMany' | 'importMany'; count: number };

export type Action = {
  /** The id of the action's history entry, or of its batch. */
  id: string;
  /** The id of the item or batch that the action changed. Each of them has at most one toast at a time. */
  about: string;
  what: What;
  /** True when the action is an undo of `what` that the user made on the history page. */
  isUndo?: boolean | undefined;
  /** Undoes the action. Resolves with the opposite action: undoing that one is a redo. */
  undo: (onProgress: (done: number) => void) => Promise<Action>;
  /** For a bulk action: how many rows could not be undone, and why the first one could not. */
  left?: { count: number; problem: unknown };
};

const MAX_ACTIONS = 100;
type Stack = { done: readonly Action[]; undone: readonly Action[] };
const stack = createStore<Stack>({ done: [], undone: [] });
let owner = '';

/** Empties the stack when another user signs in: it belongs to one user in one tab. */
export function resetStackFor(userId: string): void {
  if (userId === owner) return;
  owner = userId;
  setStack([], []);
}

/** Adds an action. As in any editor, there is nothing left to redo after it. */
export function performed(action: Action): void {
  setStack([...without(stack.get().done, action), action], []);
}

/**
 * Returns what an undo button needs. The button is available while the actions can be undone or redone, and while it
 * runs.
 */
export function undoOffer(
  actions: readonly Action[],
  undo: () => Promise<unknown>,
): { run: () => void; availability: Availability } {
  let running = false;
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    await undo().finally(() => {
      running = false;
    });
  }
  const isAvailable = () => running || actions.every((action) => isDone(action) || isUndone(action));
  return { run: () => void run(), availability: { subscribe: stack.subscribe, isAvailable } };
}

export function isDone({ id }: Action): boolean {
  return stack.get().done.some((action) => action.id === id);
}

/** Whether an action is the result of an undo, so that undoing it is a redo. */
export function isUndone({ id }: Action): boolean {
  return stack.get().undone.some((action) => action.id === id);
}

/** `opposite` is null when the action is gone and cannot be made again. */
type UndoListener = (id: string, opposite: Action | null) => void;
const undoListeners = new Set<UndoListener>();

/** Calls the listener after every undo and redo, from wherever the user asked for it. */
export function onUndone(listener: UndoListener): void {
  undoListeners.add(listener);
}

/**
 * Removes an action that the user has discarded before the server recorded it. If it was an undo, `standing` is the
 * action that it would have undone.
 */
export function discarded(id: string, standing: Action | null = null): void {
  const done = without(stack.get().done, { id });
  setStack(standing ? [...without(done, standing), standing] : done, without(stack.get().undone, { id }));
  for (const listener of undoListeners) listener(id, standing);
}

type UndoOptions = {
  onProgress?: ((done: number) => void) | undefined;
  /**
   * Set when the user undoes an entry on the history page, where anything can be undone. The undo counts as a new
   * action, the next one to be undone. `redoes`: the undone entry was itself an undo.
   */
  inHistory?: { redoes: boolean } | undefined;
};

/**
 * Undoes an action, whether the user asked for it by keyboard, in a toast or in the history. The stack is updated, so
 * that nothing is offered twice. After a refusal the action is no longer offered; without a reply it still is.
 */
export async function performUndo(
  action: Action,
  { onProgress = () => {}, inHistory }: UndoOptions = {},
): Promise<Action> {
  const wasUndone = isUndone(action);
  const place = stack.get().done.findIndex(({ id }) => id === action.id);
  setStack(without(stack.get().done, action), without(stack.get().undone, action));
  try {
    const isUndo = inHistory ? !inHistory.redoes : action.isUndo;
    const opposite = { ...(await action.undo(onProgress)), about: action.about, isUndo };
    const { done, undone } = stack.get();
    if (inHistory) performed(opposite);
    else if (wasUndone) setStack([...done, opposite], undone);
    else setStack(done, [...without(undone, opposite), opposite]);
    for (const listener of undoListeners) listener(action.id, opposite);
    return opposite;
  } catch (problem) {
    const { done, undone } = stack.get();
    // In its old place: what was done after it is undone before it.
    const doneAgain = place === -1 ? done : done.toSpliced(place, 0, action);
    if (isRetryable(problem)) setStack(doneAgain, wasUndone ? [...undone, action] : undone);
    throw problem;
  }
}

type Handler = (action: Action) => Promise<void>;

/** Calls `undo` with the last action. Resolves to false when there is none. */
export function undoLast(undo: Handler): Promise<boolean> {
  return enqueue(() => stack.get().done.at(-1), undo);
}

/** Calls `redo` with the last undone action. Resolves to false when there is none. */
export function redoLast(redo: Handler): Promise<boolean> {
  return enqueue(() => stack.get().undone.at(-1), redo);
}

const pending = new Set<Promise<unknown>>();

/**
 * Tracks a request in flight. An undo pressed before its reply is meant for this request, so the undo waits for the
 * reply.
 */
export async function trackPending<T>(work: Promise<T>): Promise<T> {
  pending.add(work);
  try {
    return await work;
  } finally {
    pending.delete(work);
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** Runs undos and redos one at a time, because two edits of one field can only be undone in order. */
function enqueue(find: () => Action | undefined, handle: Handler): Promise<boolean> {
  const mine = queue.then(async () => {
    await Promise.allSettled(pending);
    // Lets the code that waited for the reply add its action to the stack before `find` looks for one.
    await new Promise((resolve) => setTimeout(resolve));
    const action = find();
    if (action) await handle(action);
    return action !== undefined;
  });
  queue = mine.catch(() => {});
  return mine;
}

function without(actions: readonly Action[], { id }: Pick<Action, 'id'>): readonly Action[] {
  return actions.filter((action) => action.id !== id);
}

function setStack(done: readonly Action[], undone: readonly Action[]): void {
  stack.set({ done: done.slice(-MAX_ACTIONS), undone });
}
