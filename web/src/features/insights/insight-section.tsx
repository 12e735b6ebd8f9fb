import { type ComponentProps, type ReactNode, useId } from 'react';
import { ExportMenu } from '../../live/export-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './insight-section.module.css';

type SectionProps = {
  heading: string;
  /** Controls next to the heading. */
  controls?: ReactNode;
  /** What exports the figures. A file may have more rows than are shown. */
  file: Pick<ComponentProps<typeof ExportMenu>, 'path' | 'query'>;
  children: ReactNode;
};

export function InsightSection({ heading, controls, file, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{heading}</h2>
        <div className={styles.tools}>
          {controls}
          <ExportMenu key={JSON.stringify(file)} name={heading} look="plain" size="s" {...file} />
        </div>
      </header>
      {children}
    </section>
  );
}

/** Switches between the chart and a table of the same figures. */
export function TableSwitch({ name, on, onChange }: { name: string; on: boolean; onChange: (on: boolean) => void }) {
  const { say } = useWords();
  return (
    <Button
      look="plain"
      size="s"
      aria-pressed={on}
      aria-label={say('insights.asTable.of', { name })}
      className={on ? styles.on : undefined}
      onClick={() => onChange(!on)}
    >
      {say('insights.asTable')}
    </Button>
  );
}
