import { Download } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './insight-section.module.css';

type SectionProps = {
  heading: string;
  /** Controls next to the heading. */
  controls?: ReactNode;
  /** Downloads the CSV file, which may contain more rows than are shown. */
  file?: () => Promise<void>;
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
          {file && <FileButton name={heading} file={file} />}
        </div>
      </header>
      {children}
    </section>
  );
}

function FileButton({ name, file }: { name: string; file: () => Promise<void> }) {
  const { say } = useWords();
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    setBusy(true);
    try {
      await file();
    } catch (problem) {
      console.error(problem);
      notify({ kind: 'error', id: 'insights-file', text: say('insights.csv.failed') });
    }
    setBusy(false);
  }

  return (
    <Button look="plain" size="s" busy={busy} onClick={() => void make()} aria-label={say('insights.csv.of', { name })}>
      <Icon of={Download} size={16} />
      {say('insights.csv')}
    </Button>
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
