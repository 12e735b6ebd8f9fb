import { useState, useSyncExternalStore } from 'react';
import { useForm } from '../../ui/use-form.ts';
import { useWords } from '../../words/words.tsx';
import type { Check } from './checks.ts';
import { fieldTexts, refusalText } from './refusal-text.ts';

type AuthFormOptions<Name extends string> = {
  fields: Record<Name, Check>;
  send: (values: Record<Name, string>, data: FormData) => Promise<void>;
  /** Adds a prefix to the error message. */
  phrase?: (text: string) => string;
  onRefused?: (text: string, problem: unknown) => void;
};

/** A form of the identity pages: the error message stands above the form and, where it is about a field, beside it. */
export function useAuthForm<Name extends string>(options: AuthFormOptions<Name>) {
  const { fields, send, phrase = (text) => text, onRefused } = options;
  const words = useWords();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isHydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );

  function refuse(text: string, problem?: unknown): void {
    const shown = phrase(text);
    setRefusal((before) => ({ text: shown, count: (before?.count ?? 0) + 1 }));
    onRefused?.(shown, problem);
  }

  const { form, busy, ...rest } = useForm<Name>({
    fields: Object.keys(fields) as Name[],
    check: (name, text) => {
      const key = fields[name](text);
      return key && words.say(key);
    },
    mode: 'onSubmit',
    submit: send,
    onError: (problem) => refuse(refusalText(problem, words), problem),
    fieldErrorsOf: (problem) => fieldTexts(problem, words),
  });

  return {
    ...rest,
    refusal,
    refuse,
    form: {
      ...form,
      // A submit before hydration must not put the password into the URL.
      method: 'post',
      onSubmit: (event: Parameters<typeof form.onSubmit>[0]) => {
        if (!busy) setRefusal(null);
        form.onSubmit(event);
      },
    },
    submit: { type: isHydrated ? 'submit' : 'button', busy } as const,
  };
}

/** `count` tells one refusal from the next, so screen readers announce the same text again. */
export type Refusal = { text: string; count: number };
