import { beforeEach, describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import {
  type Action,
  isUndone,
  performed,
  performUndo,
  redoLast,
  resetStackFor,
  trackPending,
  undoLast,
  undoOffer,
} from './undo-stack.ts';

let shelf: string[] = [];
let person = 0;

/** Something that is on the shelf while it is done. Its opposite image puts it on or takes it off again. */
function action(name: string, isOn = true, id = name): Action {
  return {
    id,
    about: name,
    what: { kind: 'create', name },
    undo: async () => {
      shelf = isOn ? shelf.filter((one) => one !== name) : [...shelf, name];
      return action(name, !isOn, `${id}'`);
    },
  };
}

function put(name: string): Action {
  const made = action(name);
  shelf.push(name);
  performed(made);
  return made;
}

const undo = () => undoLast(async (one) => void (await performUndo(one)));
const redo = () => redoLast(async (one) => void (await performUndo(one)));

beforeEach(() => {
  resetStackFor(`person ${++person}`);
  shelf = [];
});

describe('the undo stack', () => {
  test('undoes the last action first and redoes in the same order', async () => {
    for (const name of ['a', 'b', 'c']) put(name);
    await undo();
    await undo();
    expect(shelf).toEqual(['a']);
    await redo();
    expect(shelf).toEqual(['a', 'b']);
    await redo();
    await undo();
    expect(shelf).toEqual(['a', 'b']);
  });

  test('reports that nothing is left to undo', async () => {
    put('a');
    expect([await undo(), await undo(), await redo(), await redo()]).toEqual([true, false, true, false]);
  });

  test('has nothing to redo after a new action', async () => {
    put('a');
    await undo();
    put('b');
    expect(await redo()).toBe(false);
    expect(shelf).toEqual(['b']);
  });

  test('follows an undo made elsewhere, such as in a toast', async () => {
    const a = put('a');
    put('b');
    await performUndo(a);
    await redo();
    expect(shelf).toEqual(['b', 'a']);
    await undo();
    await undo();
    expect(shelf).toEqual([]);
    expect(await undo()).toBe(false);
  });

  test('an undo on the history page is the next to be undone, whether or not the stack knew the entry', async () => {
    shelf = ['theirs'];
    const a = put('a');
    put('b');
    for (const undone of [action('theirs'), a]) await performUndo(undone, { inHistory: { redoes: false } });
    expect(shelf).toEqual(['b']);
    await undo();
    expect(shelf).toEqual(['b', 'a']);
    await undo();
    expect(shelf).toEqual(['b', 'a', 'theirs']);
    await redo();
    expect(shelf).toEqual(['b', 'a']);
    await undo();
    await undo();
    expect(shelf).toEqual(['a', 'theirs']);
  });

  test('offers an undo as long as the action is on the stack', async () => {
    const a = put('a');
    const { availability } = undoOffer([a], async () => {});
    const seen: boolean[] = [];
    const stop = availability.subscribe(() => seen.push(availability.isAvailable()));
    expect(availability.isAvailable()).toBe(true);
    const opposite = await performUndo(a);
    const again = undoOffer([opposite], async () => {}).availability;
    expect([availability.isAvailable(), again.isAvailable(), isUndone(opposite)]).toEqual([false, true, true]);
    put('b');
    expect(again.isAvailable()).toBe(false);
    expect(seen.at(-1)).toBe(false);
    stop();
  });

  test('undoes once for two clicks, and stays available until the reply', async () => {
    const a = put('a');
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const { run, availability } = undoOffer([a], () => performUndo(a).then(() => answer));
    run();
    run();
    await expect.poll(() => shelf).toEqual([]);
    expect(availability.isAvailable()).toBe(true);
    resolve();
    await expect.poll(availability.isAvailable).toBe(false);
    expect([await redo(), await redo()]).toEqual([true, false]);
    expect(shelf).toEqual(['a']);
  });

  test('undoes two actions for two quick presses, one after the other', async () => {
    const steps: string[] = [];
    const slow = (name: string): Action => ({
      ...action(name),
      undo: async () => {
        steps.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        steps.push(`${name} ends`);
        return action(name, false);
      },
    });
    for (const name of ['a', 'b', 'c']) performed(slow(name));
    await Promise.all([undo(), undo()]);
    expect(steps).toEqual(['c begins', 'c ends', 'b begins', 'b ends']);
  });

  test('waits for a click that is not answered yet, and undoes that one', async () => {
    put('a');
    const click = trackPending(new Promise<string>((answer) => setTimeout(answer, 20, 'b'))).then(put);
    await undo();
    await click;
    expect(shelf).toEqual(['a']);
  });

  test('no longer offers an undo that was refused, but still offers one without a reply', async () => {
    const failing = (id: string, problem: ApiProblem): Action => ({
      ...action(id),
      undo: () => Promise.reject(problem),
    });
    performed(failing('refused', new ApiProblem('changed_since', 409)));
    await expect(undo()).rejects.toThrow();
    expect(await undo()).toBe(false);
    performed(failing('unanswered', new ApiProblem('offline', 0)));
    await expect(undo()).rejects.toThrow();
    await expect(undo()).rejects.toThrow();
  });

  test('belongs to one user', async () => {
    put('a');
    resetStackFor('somebody else');
    expect(await undo()).toBe(false);
  });
});
