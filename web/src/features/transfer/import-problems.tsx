import { fromWireField } from '@perfume/contract/wire-import';
import { Button } from '../../ui/button.tsx';
import { downloadFrom } from '../../ui/download.ts';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './import-problems.module.css';
import { rowErrorText } from './import-texts.ts';
import type { WireImport } from './imports-query.ts';

/** The rows that are left out and why, with a download of them. */
export function ImportProblems({ one: { id, problems, summary } }: { one: WireImport }) {
  const words = useWords();
  const { say, number } = words;
  if (problems.length === 0) return null;
  return (
    <section className={styles.problems}>
      <header className={styles.head}>
        <div>
          <h2>{say('import.problems')}</h2>
          <p className={styles.hint}>{say('import.problems.lead')}</p>
        </div>
        <Button onClick={() => downloadFrom(`/imports/${id}/problems`)}>{say('import.problems.download')}</Button>
      </header>
      <Table>
        <thead>
          <tr>
            <FigureHead>{say('import.problem.row')}</FigureHead>
            <th scope="col">{say('import.problem.field')}</th>
            <th scope="col">{say('import.problem.why')}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map((problem) => (
            <tr key={`${problem.row} ${problem.field}`}>
              <FigureCell>{number(problem.row)}</FigureCell>
              <td>{say(`import.field.${fromWireField(problem.field) ?? 'none'}`)}</td>
              <td className={styles.why}>{rowErrorText(problem, words)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {summary.bad > problems.length && (
        <p className={styles.hint}>{say('import.problems.first', { count: problems.length })}</p>
      )}
    </section>
  );
}
