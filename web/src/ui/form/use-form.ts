import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react';

type FormOptions<Name extends string> = {
  fields: readonly Name[];
  /** May hold values of fields that are not shown; they are submitted as they are. */
  initial?: Partial<Record<Name, string>>;
  /** The error of a field, if any. */
  check: (name: Name, text: string) => string | undefined;
  /** An error as shown, so that it follows the language of the page. */
  errorText: (name: Name, error: string) => string;
  /** `onSubmit`: fields are checked on submit. `onTouched`: a field is also checked once it was changed and left. */
  mode: 'onSubmit' | 'onTouched';
  onInput?: ((values: Record<Name, string>) => void) | undefined;
  submit: (values: Record<Name, string>, data: FormData) => Promise<void>;
  /** Called with what `submit` threw. */
  onError: (problem: unknown) => void;
  /** What the server says about single fields. */
  fieldErrorsOf: (problem: unknown) => Record<string, string>;
};

type Input = HTMLInputElement | HTMLTextAreaElement;

/**
 * A form with uncontrolled inputs: what was typed or autofilled before hydration, or before a failed submit, stays. The
 * first wrong field gets the focus. An error of the server stays beside its field until the field is changed.
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
    // A picture on its way is part of what is saved. After a failed upload, only another press saves without it.
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

  /** Runs one request at a time, with the form busy. */
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

  const submit = () => run(validateAndSend);

  return {
    fields,
    busy,
    values,
    run,
    submit,
    setErrors,
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
        // A field that was only tabbed through is not wrong yet.
        if (mode === 'onSubmit' || name === undefined || !changed.current.has(name)) return;
        afterPointerUp(() => setChecked((before) => (before.includes(name) ? before : [...before, name])));
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
    /** The next submit waits for this upload, and is dropped when it resolves to false. */
    waitFor: (pending: Promise<boolean>) => {
      upload.current = pending;
    },
  };
}

/**
 * An error message that appears while a button is pressed moves the button away from the pointer, and the click misses
 * it. So the message waits for the end of the click.
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
