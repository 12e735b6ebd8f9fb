import { useWords } from '../../words/words.tsx';
import styles from './import-summary.module.css';
import type { WireImport } from './imports-query.ts';

/** How many rows an import adds, changes and leaves out, or has added, changed and left out. */
export function ImportSummary({ summary, isDone = false }: { summary: WireImport['summary']; isDone?: boolean }) {
  const { say, number } = useWords();
  const { add, change, skip, bad } = summary;
  const figures = [
    [say(isDone ? 'import.added' : 'import.add'), add],
    [say(isDone ? 'import.changed' : 'import.change'), change],
    [say('import.skip'), skip - bad],
    [say('import.bad'), bad],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(figure)}</dd>
        </div>
      ))}
    </dl>
  );
}
