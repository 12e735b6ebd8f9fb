import { ACCOUNT_NAME_MAX, PASSWORD_MAX } from '@perfume/domain/accounts';
import { useState, useSyncExternalStore } from 'react';
import { fieldErrorText, refusedFields } from '../../live/field-error-text.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from './auth-error-text.ts';
import type { Check } from './checks.ts';

const maxLengths: Partial<Record<string, number>> = {
  name: ACCOUNT_NAME_MAX,
  password: PASSWORD_MAX,
  currentPassword: PASSWORD_MAX,
  newPassword: PASSWORD_MAX,
};

type AuthFormOptions<Name extends string> = {
  fields: Record<Name, Check>;
  send: (values: Record<Name, string>, data: FormData) => Promise<void>;
  /** Puts the error message into the wording of this page. */
  phrase?: (text: string) => string;
  onError?: (text: string, problem: unknown) => void;
};

/**
 * A form of the identity pages. If sending fails, the error is shown above the form and below the field it concerns.
 */
export function useAuthForm<Name extends string>(options: AuthFormOptions<Name>) {
  const { fields, send, phrase = (text) => text, onError } = options;
  const words = useWords();
  const [formError, setFormError] = useState<FormMessage | null>(null);
  const isHydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );

  function showError(text: string, problem?: unknown): void {
    const shown = phrase(text);
    setFormError((before) => ({ text: shown, count: (before?.count ?? 0) + 1 }));
    onError?.(shown, problem);
  }

  const { form, busy, ...rest } = useForm<Name>({
    fields: Object.keys(fields) as Name[],
    check: (name, text) => fields[name](text),
    errorText: (name, error) => fieldErrorText(error, words, { max: maxLengths[name] }),
    mode: 'onSubmit',
    submit: send,
    onError: (problem) => showError(authErrorText(problem, words), problem),
    fieldErrorsOf: refusedFields,
  });

  return {
    ...rest,
    formError,
    showError,
    form: {
      ...form,
      // With the default method, a submit before hydration would put the password into the URL.
      method: 'post',
      onSubmit: (event: Parameters<typeof form.onSubmit>[0]) => {
        if (!busy) setFormError(null);
        form.onSubmit(event);
      },
    },
    submit: { type: isHydrated ? 'submit' : 'button', busy } as const,
  };
}

/** `count` changes with every error, so that screen readers announce the same text again. */
export type FormMessage = { text: string; count: number };
