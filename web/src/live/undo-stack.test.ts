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

let names: string[] = [];
let user = 0;

/** An action that adds a name to `names`. Its undo removes the name, and the undo of that adds it again. */
function action(name: string, isAdded = true, id = name): Action {
  return {
    id,
    about: name,
    what: { kind: 'create', name },
    undo: async () => {
      names = isAdded ? names.filter((one) => one !== name) : [...names, name];
      return action(name, !isAdded, `${id}'`);
    },
  };
}

function perform(name: string): Action {
  const added = action(name);
  names.push(name);
  performed(added);
  return added;
}

const undo = () => undoLast(async (one) => void (await performUndo(one)));
const redo = () => redoLast(async (one) => void (await performUndo(one)));

beforeEach(() => {
  resetStackFor(`user ${++user}`);
  names = [];
});

describe('the undo stack', () => {
  test('undoes the last action first and redoes in the same order', async () => {
    for (const name of ['a', 'b', 'c']) perform(name);
    await undo();
    await undo();
    expect(names).toEqual(['a']);
    await redo();
    expect(names).toEqual(['a', 'b']);
    await redo();
    await undo();
    expect(names).toEqual(['a', 'b']);
  });

  test('reports that nothing is left to undo', async () => {
    perform('a');
    expect([await undo(), await undo(), await redo(), await redo()]).toEqual([true, false, true, false]);
  });

  test('has nothing to redo after a new action', async () => {
    perform('a');
    await undo();
    perform('b');
    expect(await redo()).toBe(false);
    expect(names).toEqual(['b']);
  });

  test('follows an undo made elsewhere, such as in a toast', async () => {
    const a = perform('a');
    perform('b');
    await performUndo(a);
    await redo();
    expect(names).toEqual(['b', 'a']);
    await undo();
    await undo();
    expect(names).toEqual([]);
    expect(await undo()).toBe(false);
  });

  test('an undo on the history page is the next to be undone, whether or not the stack knew the entry', async () => {
    names = ['theirs'];
    const a = perform('a');
    perform('b');
    for (const undone of [action('theirs'), a]) await performUndo(undone, { inHistory: { redoes: false } });
    expect(names).toEqual(['b']);
    await undo();
    expect(names).toEqual(['b', 'a']);
    await undo();
    expect(names).toEqual(['b', 'a', 'theirs']);
    await redo();
    expect(names).toEqual(['b', 'a']);
    await undo();
    await undo();
    expect(names).toEqual(['a', 'theirs']);
  });

  test('offers an undo as long as the action is on the stack', async () => {
    const a = perform('a');
    const { availability } = undoOffer([a], async () => {});
    const seen: boolean[] = [];
    const stop = availability.subscribe(() => seen.push(availability.isAvailable()));
    expect(availability.isAvailable()).toBe(true);
    const opposite = await performUndo(a);
    const again = undoOffer([opposite], async () => {}).availability;
    expect([availability.isAvailable(), again.isAvailable(), isUndone(opposite)]).toEqual([false, true, true]);
    perform('b');
    expect(again.isAvailable()).toBe(false);
    expect(seen.at(-1)).toBe(false);
    stop();
  });

  test('undoes once for two clicks, and stays available until the response', async () => {
    const a = perform('a');
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const { run, availability } = undoOffer([a], () => performUndo(a).then(() => answer));
    run();
    run();
    await expect.poll(() => names).toEqual([]);
    expect(availability.isAvailable()).toBe(true);
    resolve();
    await expect.poll(availability.isAvailable).toBe(false);
    expect([await redo(), await redo()]).toEqual([true, false]);
    expect(names).toEqual(['a']);
  });

  test('undoes two actions for two quick presses, one after the other', async () => {
    const steps: string[] = [];
    const slow = (name: string): Action => ({
      ...action(name),
      undo: async () => {
        steps.push(`${name} starts`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        steps.push(`${name} ends`);
        return action(name, false);
      },
    });
    for (const name of ['a', 'b', 'c']) performed(slow(name));
    await Promise.all([undo(), undo()]);
    expect(steps).toEqual(['c starts', 'c ends', 'b starts', 'b ends']);
  });

  test('waits for a click that is not answered yet, and undoes that one', async () => {
    perform('a');
    const click = trackPending(new Promise<string>((answer) => setTimeout(answer, 20, 'b'))).then(perform);
    await undo();
    await click;
    expect(names).toEqual(['a']);
  });

  test('no longer offers an undo that was refused, but still offers one without a response or after too many requests', async () => {
    const failing = (id: string, problem: ApiProblem): Action => ({
      ...action(id),
      undo: () => Promise.reject(problem),
    });
    performed(failing('refused', new ApiProblem('changed_since', 409)));
    await expect(undo()).rejects.toThrow();
    expect(await undo()).toBe(false);
    for (const problem of [new ApiProblem('offline', 0), new ApiProblem('too_many', 429)]) {
      performed(failing(problem.code, problem));
      await expect(undo()).rejects.toBe(problem);
      await expect(undo()).rejects.toBe(problem);
    }
  });

  test('an action whose undo got no answer keeps its place', async () => {
    const [first, second] = [action('first'), action('second')];
    performed({ ...first, undo: () => Promise.reject(new ApiProblem('offline', 0)) });
    performed(second);
    await performUndo({ ...first, undo: () => Promise.reject(new ApiProblem('offline', 0)) }).catch(() => {});
    const last: string[] = [];
    await undoLast(async ({ id }) => void last.push(id));
    expect(last).toEqual([second.id]);
  });

  test('belongs to one user', async () => {
    perform('a');
    resetStackFor('somebody else');
    expect(await undo()).toBe(false);
  });
});
