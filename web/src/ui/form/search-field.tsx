import { Search } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { Icon } from '../icon.tsx';
import styles from './search-field.module.css';

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: string };

/** A search field. Its label is for screen readers only; on screen, the placeholder takes its place. */
export function SearchField({ label, ...rest }: SearchFieldProps) {
  const id = useId();
  return (
    <div className={styles.search}>
      <label htmlFor={id} className={styles.label}>
        <span className="visually-hidden">{label}</span>
        <Icon of={Search} size={18} />
      </label>
      <input maxLength={200} autoComplete="off" {...rest} id={id} type="search" className={styles.input} />
    </div>
  );
}
