import { type ReactNode, useId } from 'react';
import styles from './settings-section.module.css';

type SettingsSectionProps = { heading: string; text: string; children: ReactNode };

/** A section of the settings page: a heading with an explanation, and the controls beside them. */
export function SettingsSection({ heading, text, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{heading}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.controls}>{children}</div>
    </section>
  );
}
