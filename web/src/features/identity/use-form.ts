import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.tsx';
import type { Check } from './checks.ts';
import { fieldTexts, refusalText } from './refusal-text.ts';

type FormRules<Name extends string> = {
  fields: Record<Name, Check>;
  send: (values: Record<Name, string>, data: FormData) => Promise<void>;
  /** The refusal as it is shown: a prefix goes here. */
  phrase?: (text: string) => string;
  /** After the refusal stands on the page. */
  onRefused?: (text: string, problem: unknown) => void;
};

/**
 * A form whose inputs keep their own values, so whatever was typed or filled in stays, before the page has come to
 * life and after a refusal. What is wrong stands beside its field, and the first wrong field gets the focus.
 */
export function useForm<Name extends string>({ fields, send, phrase = same, onRefused }: FormRules<Name>) {
  const words = useWords();
  const place = useRef<HTMLFormElement>(null);
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [wrongTries, setWrongTries] = useState(0);
  const alive = useSyncExternalStore(never, yes, no);

  useEffect(() => {
    if (wrongTries > 0) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [wrongTries]);

  function refuse(text: string, problem?: unknown): void {
    const shown = phrase(text);
    setRefusal((before) => ({ text: shown, count: (before?.count ?? 0) + 1 }));
    onRefused?.(shown, problem);
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (underWay.current) return;
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(
      Object.keys(fields).map((name) => [name, String(data.get(name) ?? '')]),
    ) as Record<Name, string>;
    const wrong: Record<string, string> = {};
    for (const name of Object.keys(fields) as Name[]) {
      const key = fields[name](values[name]);
      if (key) wrong[name] = words.say(key);
    }
    setErrors(wrong);
    setRefusal(null);
    if (Object.keys(wrong).length > 0) return setWrongTries((count) => count + 1);
    await run(() => send(values, data));
  }

  /** One thing at a time: what is already on its way is not sent twice. */
  async function run(work: () => Promise<void>): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      setErrors(fieldTexts(problem, words));
      setWrongTries((count) => count + 1);
      refuse(refusalText(problem, words), problem);
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  return {
    busy,
    refusal,
    refuse,
    setErrors,
    run,
    form: {
      ref: place,
      noValidate: true,
      // Should it ever be sent before the page is alive, a password must not stand in the address.
      method: 'post',
      onSubmit: submit,
      onInput: ({ target }: FormEvent<HTMLFormElement>) => {
        const { name } = target as HTMLInputElement;
        setErrors((before) => (before[name] === undefined ? before : { ...before, [name]: undefined }));
      },
    },
    submit: { type: alive ? 'submit' : 'button', busy } as const,
    field: (name: Name) => ({ name, error: errors[name], required: true }),
    focus: (name: Name) => place.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus(),
    value: (name: Name) => place.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '',
  };
}

/** `count` tells one refusal from the next, so the same words are announced again. */
export type Refusal = { text: string; count: number };

const same = (text: string) => text;
const never = () => () => {};
const yes = () => true;
const no = () => false;
