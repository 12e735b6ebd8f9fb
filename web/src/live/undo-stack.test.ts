import { beforeEach, describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import {
  type Action,
  isUndone,
  offerOf,
  performed,
  performUndo,
  redoLast,
  resetStackFor,
  trackPending,
  undoLast,
} from './undo-stack.ts';

let shelf: string[] = [];
let person = 0;

/** Something that is on the shelf while it is done. Its mirror image puts it on or takes it off again. */
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
  test('takes back the last thing first and does it again in the same order', async () => {
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

  test('says when there is nothing left', async () => {
    put('a');
    expect([await undo(), await undo(), await redo(), await redo()]).toEqual([true, false, true, false]);
  });

  test('forgets what could be done again once something new is done', async () => {
    put('a');
    await undo();
    put('b');
    expect(await redo()).toBe(false);
    expect(shelf).toEqual(['b']);
  });

  test('follows what is taken back elsewhere, such as in a toast', async () => {
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

  test('an undo in the history is the next to be taken back, whether or not the stack knew what it undid', async () => {
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

  test('an offer to take something back is open just as long as the stack has it', async () => {
    const a = put('a');
    const { offer } = offerOf([a], async () => {});
    const seen: boolean[] = [];
    const stop = offer.watch(() => seen.push(offer.isOpen()));
    expect(offer.isOpen()).toBe(true);
    const mirror = await performUndo(a);
    const again = offerOf([mirror], async () => {}).offer;
    expect([offer.isOpen(), again.isOpen(), isUndone(mirror)]).toEqual([false, true, true]);
    put('b');
    expect(again.isOpen()).toBe(false);
    expect(seen.at(-1)).toBe(false);
    stop();
  });

  test('two clicks on one offer are one, and it is open until that is answered', async () => {
    const a = put('a');
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const { run, offer } = offerOf([a], () => performUndo(a).then(() => answer));
    run();
    run();
    await expect.poll(() => shelf).toEqual([]);
    expect(offer.isOpen()).toBe(true);
    resolve();
    await expect.poll(offer.isOpen).toBe(false);
    expect([await redo(), await redo()]).toEqual([true, false]);
    expect(shelf).toEqual(['a']);
  });

  test('two presses in one breath take back two things, one after the other', async () => {
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

  test('waits for a click that is not answered yet, and takes that one back', async () => {
    put('a');
    const click = trackPending(new Promise<string>((answer) => setTimeout(answer, 20, 'b'))).then(put);
    await undo();
    await click;
    expect(shelf).toEqual(['a']);
  });

  test('no longer offers what was refused, but still offers what was not answered', async () => {
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

  test('belongs to one person', async () => {
    put('a');
    resetStackFor('somebody else');
    expect(await undo()).toBe(false);
  });
});
