import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { useWords } from '../../words/words.tsx';
import { fieldError, fieldErrorText, type ItemField, type ItemTexts, itemFields } from './item-fields.ts';

type ItemFormRules = {
  /** What stands in the fields at first. */
  initial: ItemTexts;
  /** Which of them are asked for. */
  fields?: readonly ItemField[];
  send: (texts: ItemTexts) => Promise<void>;
  /** Whenever something was typed, pasted or put in. */
  onTyped?: (texts: ItemTexts) => void;
  onRefused: (problem: unknown) => void;
  /** What is said under a field in place of its usual hint. */
  notes?: Partial<Record<ItemField, string>>;
};

type Input = HTMLInputElement | HTMLTextAreaElement;

export type ItemFormState = ReturnType<typeof useItemForm>;

/**
 * The fields of an item. The inputs keep their own values. A field is checked while one types, once one has left it or
 * tried to save; what the server says of it stands beside it until it is changed.
 */
export function useItemForm(rules: ItemFormRules) {
  const { initial, fields = itemFields, send, onTyped, onRefused, notes = {} } = rules;
  const words = useWords();
  const place = useRef<HTMLFormElement>(null);
  const underWay = useRef(false);
  const arriving = useRef<Promise<boolean>>(null);
  const changed = useRef(new Set<string>());
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState(initial);
  const [looked, setLooked] = useState<readonly ItemField[]>([]);
  const [refused, setRefused] = useState<Partial<Record<ItemField, string>>>({});
  const [wrongTries, setWrongTries] = useState(0);
  const whenPointerIsUp = useWhenPointerIsUp();

  useEffect(() => {
    if (wrongTries > 0) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [wrongTries]);

  const inputOf = (name: ItemField) => place.current?.elements.namedItem(name) as Input | null | undefined;

  function read(): ItemTexts {
    const texts = { ...initial };
    for (const name of fields) texts[name] = inputOf(name)?.value ?? initial[name];
    return texts;
  }

  function write(texts: Partial<ItemTexts>): ItemTexts {
    for (const name of fields) {
      const input = inputOf(name);
      const text = texts[name];
      if (input && text !== undefined) input.value = text;
    }
    const now = read();
    setTyped(now);
    return now;
  }

  function errorOf(name: ItemField): string | undefined {
    const message = refused[name] ?? (looked.includes(name) ? fieldError(name, typed[name]) : undefined);
    return message && fieldErrorText(message, words);
  }

  async function submit(): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      // A picture on its way is part of what is being saved. If it does not get here, nothing is saved without it unless
      // one presses again.
      const arrived = (await arriving.current) ?? true;
      arriving.current = null;
      if (!arrived) return;
      const now = read();
      setTyped(now);
      setLooked(fields);
      setRefused({});
      if (fields.some((name) => fieldError(name, now[name]))) setWrongTries((count) => count + 1);
      else await send(now);
    } catch (problem) {
      if (problem instanceof ApiProblem) setRefused(problem.fields);
      setWrongTries((count) => count + 1);
      onRefused(problem);
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  return {
    fields,
    busy,
    texts: typed,
    submit,
    form: {
      ref: place,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void submit();
      },
      onInput: ({ target }: FormEvent) => {
        const { name } = target as Input;
        const now = read();
        changed.current.add(name);
        setTyped(now);
        setRefused(({ [name as ItemField]: _, ...others }) => others);
        onTyped?.(now);
      },
      onBlur: ({ target }: FocusEvent) => {
        const name = fields.find((field) => field === (target as Input).name);
        // Walking past a field is no mistake yet.
        if (name === undefined || !changed.current.has(name)) return;
        whenPointerIsUp(() => setLooked((before) => (before.includes(name) ? before : [...before, name])));
      },
    },
    field: (name: ItemField) => ({
      name,
      error: errorOf(name),
      required: true,
      // What was typed into it now would be lost when the answer comes.
      readOnly: busy,
      defaultValue: initial[name],
      ...(notes[name] !== undefined && { hint: notes[name] }),
    }),
    /** Puts something into a field as if it had been typed. */
    put: (texts: Partial<ItemTexts>) => onTyped?.(write(texts)),
    /** Begins anew with these texts, with nothing wrong yet. */
    startWith: (texts: ItemTexts) => {
      write(texts);
      changed.current.clear();
      setLooked([]);
      setRefused({});
    },
    focus: (name: ItemField) => inputOf(name)?.focus(),
    /** What saving waits for. */
    awaits: (work: Promise<boolean>) => {
      arriving.current = work;
    },
  };
}

/**
 * A message that appears while a button is being pressed would move the button away from under the pointer, and the
 * click would miss it. So it waits until the click is done.
 */
function useWhenPointerIsUp(): (work: () => void) => void {
  const isDown = useRef(false);
  useEffect(() => {
    const down = () => {
      isDown.current = true;
    };
    const up = () => {
      isDown.current = false;
    };
    addEventListener('pointerdown', down, true);
    addEventListener('pointerup', up, true);
    addEventListener('pointercancel', up, true);
    return () => {
      removeEventListener('pointerdown', down, true);
      removeEventListener('pointerup', up, true);
      removeEventListener('pointercancel', up, true);
    };
  }, []);
  return (work) => {
    if (isDown.current) addEventListener('pointerup', () => setTimeout(work), { once: true });
    else work();
  };
}
