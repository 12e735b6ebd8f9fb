import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { Link } from './link.tsx';
import { Spinner } from './spinner.tsx';

type Look = {
  /** `primary`: the main action of a view. `danger` turns red on hover. */
  look?: 'primary' | 'quiet' | 'plain' | 'danger';
  size?: 'm' | 's';
};

export type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean; busyLabel?: string };

export function Button({ look, size, busy = false, busyLabel, className, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, size, className })}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy && <Spinner label={busyLabel} />}
      {children}
    </button>
  );
}

export function LinkButton({ look, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={buttonClass({ look, size, className })} />;
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  label: string;
  children: ReactNode;
};

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} aria-label={label} className={[styles.icon, className].filter(Boolean).join(' ')}>
      {children}
    </button>
  );
}

function buttonClass(
  given: { [Key in keyof Look]: Look[Key] | undefined } & { className: string | undefined },
): string {
  const { look = 'quiet', size = 'm', className } = given;
  return [styles.button, styles[look], size === 's' && styles.small, className].filter(Boolean).join(' ');
}
