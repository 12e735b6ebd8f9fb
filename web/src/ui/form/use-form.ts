import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react';

type FormOptions<Name extends string> = {
  fields: readonly Name[];
  /** The initial values. They may include fields that are not shown, which are submitted unchanged. */
  initial?: Partial<Record<Name, string>>;
  /** Returns the error of a field, or undefined if its text is valid. */
  check: (name: Name, text: string) => string | undefined;
  /** Turns an error into the message to show. Called on every render, so that it follows the language of the page. */
  errorText: (name: Name, error: string) => string;
  /** `onSubmit`: fields are checked on submit. `onTouched`: a field is also checked once it was changed and left. */
  mode: 'onSubmit' | 'onTouched';
  onInput?: ((values: Record<Name, string>) => void) | undefined;
  submit: (values: Record<Name, string>, data: FormData) => Promise<void>;
  /** Called with what `submit` threw. */
  onError: (problem: unknown) => void;
  /** Returns the server's errors of single fields, by field name, from what `submit` threw. */
  fieldErrorsOf: (problem: unknown) => Record<string, string>;
};

type Input = HTMLInputElement | HTMLTextAreaElement;

/**
 * The state of a form with uncontrolled inputs, which keep what was typed or autofilled before hydration or before a
 * failed submit. After a failed submit, the first invalid field gets the focus. The server's error of a field stays
 * until the field is changed.
 */
export function useForm<Name extends string>(options: FormOptions<Name>) {
  const { fields, check, errorText, mode, onInput, submit: send, onError, fieldErrorsOf } = options;
  const initial: Partial<Record<Name, string>> = options.initial ?? {};
  const ref = useRef<HTMLFormElement>(null);
  const inFlight = useRef(false);
  const upload = useRef<Promise<boolean>>(null);
  const changed = useRef(new Set<string>());
  const [busy, setBusy] = useState(false);
  const [values, setValues] = useState(() => readValues());
  const [checked, setChecked] = useState<readonly Name[]>([]);
  const [serverErrors, setServerErrors] = useState<Partial<Record<string, string>>>({});
  const [failedTries, setFailedTries] = useState(0);
  const afterPointerUp = useAfterPointerUp();

  useEffect(() => {
    if (failedTries > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failedTries]);

  function inputOf(name: Name): Input | null | undefined {
    return ref.current?.elements.namedItem(name) as Input | null | undefined;
  }

  function readValues(): Record<Name, string> {
    const shown = fields.map((name) => [name, inputOf(name)?.value ?? initial[name] ?? '']);
    return { ...initial, ...Object.fromEntries(shown) };
  }

  function writeValues(texts: Partial<Record<Name, string>>): Record<Name, string> {
    for (const name of fields) {
      const input = inputOf(name);
      const text = texts[name];
      if (input && text !== undefined) input.value = text;
    }
    const written = readValues();
    setValues(written);
    return written;
  }

  async function validateAndSend(): Promise<void> {
    // Waits for a picture that is still uploading, because it is saved too. If the upload fails, nothing is sent;
    // submitting again saves without the picture.
    const uploaded = (await upload.current) ?? true;
    upload.current = null;
    if (!uploaded) return;
    const now = readValues();
    setValues(now);
    setChecked(fields);
    setServerErrors({});
    if (fields.some((name) => check(name, now[name]) !== undefined)) setFailedTries((count) => count + 1);
    else await send(now, new FormData(ref.current ?? undefined));
  }

  /** Runs a request and marks the form as busy meanwhile. While one request runs, further calls do nothing. */
  async function run(work: () => Promise<void>): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      setErrors(fieldErrorsOf(problem));
      setFailedTries((count) => count + 1);
      onError(problem);
    } finally {
      inFlight.current = false;
      setBusy(false);
    }
  }

  function setErrors(errors: Record<string, string>): void {
    setServerErrors(errors);
    if (mode === 'onSubmit') setChecked([]);
  }

  function showError(name: Name): void {
    setChecked((before) => (before.includes(name) ? before : [...before, name]));
  }

  const submit = () => run(validateAndSend);

  return {
    fields,
    busy,
    values,
    run,
    submit,
    setErrors,
    /** Shows the error of a field from now on, if it has one. */
    showError,
    form: {
      ref,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        void submit();
      },
      onInput: ({ target }: FormEvent) => {
        const { name } = target as Input;
        const now = readValues();
        changed.current.add(name);
        setValues(now);
        setServerErrors(({ [name]: _, ...others }) => others);
        if (mode === 'onSubmit') setChecked((before) => before.filter((one) => one !== name));
        onInput?.(now);
      },
      onBlur: ({ target }: FocusEvent) => {
        const name = fields.find((field) => field === (target as Input).name);
        // A field that was entered and left without a change shows no error yet.
        if (mode === 'onSubmit' || name === undefined || !changed.current.has(name)) return;
        afterPointerUp(() => showError(name));
      },
    },
    field: (name: Name) => {
      const error = serverErrors[name] ?? (checked.includes(name) ? check(name, values[name]) : undefined);
      return { name, error: error && errorText(name, error), required: true };
    },
    value: (name: Name) => inputOf(name)?.value ?? '',
    focus: (name: Name) => inputOf(name)?.focus(),
    /** Changes fields as if somebody had typed into them. */
    setValues: (texts: Partial<Record<Name, string>>) => onInput?.(writeValues(texts)),
    /** Starts over with these values and no errors. */
    reset: (texts: Record<Name, string>) => {
      writeValues(texts);
      changed.current.clear();
      setChecked([]);
      setServerErrors({});
    },
    /** Makes the next submit wait for an upload. If the upload resolves to false, nothing is submitted. */
    waitFor: (pending: Promise<boolean>) => {
      upload.current = pending;
    },
  };
}

/**
 * Returns a function that delays work until the pointer is released. An error message that appeared while a button is
 * pressed would move the button away from the pointer, and the click would miss it.
 */
function useAfterPointerUp(): (work: () => void) => void {
  const isDown = useRef(false);
  useEffect(() => {
    const track = ({ type }: PointerEvent) => {
      isDown.current = type === 'pointerdown';
    };
    const types = ['pointerdown', 'pointerup', 'pointercancel'] as const;
    for (const type of types) addEventListener(type, track, true);
    return () => {
      for (const type of types) removeEventListener(type, track, true);
    };
  }, []);
  return (work) => {
    if (isDown.current) addEventListener('pointerup', () => setTimeout(work), { once: true });
    else work();
  };
}
