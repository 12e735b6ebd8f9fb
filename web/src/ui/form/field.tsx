import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

type Common = {
  label: string;
  hint?: string | undefined;
  /** The error message below the input. Screen readers announce it, and again when the input gets the focus. */
  error?: string | undefined;
  /** Content inside the frame, after the input: a unit, or a button such as "show". */
  after?: ReactNode;
};

export function TextField({ label, hint, error, after, id, ...rest }: ComponentProps<'input'> & Common) {
  const field = useField(id, hint, error);
  return (
    <Frame label={label} hint={hint} error={error} ids={field}>
      <div className={styles.frame} data-invalid={error !== undefined || undefined}>
        <input {...rest} {...field.input} className={styles.input} />
        {after}
      </div>
    </Frame>
  );
}

export function EmailField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      {...props}
    />
  );
}

export function TextArea({ label, hint, error, id, ...rest }: ComponentProps<'textarea'> & Omit<Common, 'after'>) {
  const field = useField(id, hint, error);
  return (
    <Frame label={label} hint={hint} error={error} ids={field}>
      <div className={styles.frame} data-invalid={error !== undefined || undefined}>
        <textarea rows={5} {...rest} {...field.input} className={styles.area} />
      </div>
    </Frame>
  );
}

type Ids = { hintId: string; errorId: string; input: { id: string } };

function Frame({ label, hint, error, ids, children }: Omit<Common, 'after'> & { ids: Ids; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={ids.input.id} className={styles.label}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={ids.hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={ids.errorId} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}

function useField(given: string | undefined, hint: string | undefined, error: string | undefined) {
  const own = useId();
  const id = given ?? own;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error !== undefined && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
  const input = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  };
  return { hintId, errorId, input };
}
