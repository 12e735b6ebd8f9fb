import { fromWireMapping, toWireMapping } from '@perfume/contract/wire-import';
import {
  type DecimalMark,
  decimalMarks,
  type ImportField,
  type ImportMode,
  importFields,
  importModes,
} from '@perfume/domain/imports';
import { useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './import-choices.module.css';
import { ImportSummary } from './import-summary.tsx';
import { applyImport, type Choices, changeImport, type WireImport } from './imports-query.ts';

const EXAMPLES = 3;
const CODES: readonly ImportField[] = ['id', 'sku', 'barcodes'];

/** What the columns hold and what may change, with what importing would do. Each choice is checked at once. */
export function ImportChoices({ one }: { one: WireImport }) {
  const words = useWords();
  const { say } = words;
  const [choices, setChoices] = useState<Choices>(one);
  const [isChecking, setChecking] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const lastCheck = useRef<AbortController>(null);
  const mapping = fromWireMapping(choices.mapping);

  async function choose(change: Partial<Choices>): Promise<void> {
    const { mapping, mode, decimal } = { ...choices, ...change };
    setChoices({ mapping, mode, decimal });
    lastCheck.current?.abort();
    const check = new AbortController();
    lastCheck.current = check;
    setChecking(true);
    try {
      await changeImport(one.id, { mapping, mode, decimal }, check.signal);
    } catch (problem) {
      if (check.signal.aborted) return;
      setChoices(one);
      notify({ kind: 'error', id: one.id, text: `${say('import.notChecked')} ${problemText(problem, words)}` });
    } finally {
      if (lastCheck.current === check) setChecking(false);
    }
  }

  /** A field has one column: where it was before, the column is left out. */
  function chooseField(column: number, field: ImportField | null): void {
    const next = mapping.map((known, index) => (index === column ? field : known === field ? null : known));
    void choose({ mapping: toWireMapping(next) });
  }

  async function start(): Promise<void> {
    setStarting(true);
    try {
      await applyImport(one.id);
    } catch (problem) {
      notify({ kind: 'error', id: one.id, text: `${say('import.notStarted')} ${problemText(problem, words)}` });
    } finally {
      setStarting(false);
    }
  }

  const { add, change } = one.summary;
  const needsName = choices.mode !== 'update' && !(mapping.includes('name') && mapping.includes('priceCents'));
  const hasCode = mapping.some((field) => field !== null && CODES.includes(field));
  return (
    <>
      <section className={styles.columns} aria-labelledby="columns">
        <h2 id="columns">{say('import.columns')}</h2>
        {!one.header && <p className={styles.hint}>{say('import.noHeader')}</p>}
        <ul className={styles.list}>
          {one.columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay in their order, and may have equal names.
            <li key={index} className={styles.column} data-left-out={mapping[index] === null || undefined}>
              <div className={styles.about}>
                <bdi className={styles.name}>{column}</bdi>
                <bdi className={styles.examples}>{examplesOf(one, index)}</bdi>
              </div>
              <SelectFilter
                label={say('import.column', { name: column })}
                hideLabel
                value={mapping[index] ?? ''}
                onPick={(field) => chooseField(index, (field || null) as ImportField | null)}
                options={[
                  { value: '', text: say('import.field.none') },
                  ...importFields.map((field) => ({ value: field, text: say(`import.field.${field}`) })),
                ]}
              />
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.plan} aria-labelledby="plan">
        <h2 id="plan">{say('import.plan')}</h2>
        <div className={styles.how}>
          <RadioGroup<ImportMode>
            label={say('import.mode')}
            value={choices.mode}
            options={importModes.map((mode) => ({ value: mode, text: say(`import.mode.${mode}`) }))}
            onChoose={(mode) => void choose({ mode })}
          />
          <RadioGroup<DecimalMark>
            label={say('import.decimal')}
            value={choices.decimal}
            options={decimalMarks.map((mark) => ({ value: mark, text: `12${mark}50` }))}
            onChoose={(decimal) => void choose({ decimal })}
          />
        </div>
        <p className={styles.hint}>{say('import.mode.hint')}</p>
        {needsName && <p className={styles.warning}>{say('import.noName')}</p>}
        {!hasCode && !needsName && <p className={styles.warning}>{say('import.noCode')}</p>}
        <div role="status" aria-busy={isChecking} className={styles.summary}>
          {isChecking ? (
            <p className={styles.hint}>{say('import.checking')}</p>
          ) : (
            <ImportSummary summary={one.summary} />
          )}
        </div>
        {add + change > 0 ? (
          <Button look="primary" busy={isStarting} disabled={isChecking} onClick={() => void start()}>
            {say('import.start', { count: add + change })}
          </Button>
        ) : (
          !isChecking && <p className={styles.warning}>{say('import.nothing')}</p>
        )}
      </section>
    </>
  );
}

/** The first values of a column. */
function examplesOf({ preview }: WireImport, column: number): string {
  const values = preview.map((cells) => cells[column]?.trim() ?? '').filter((cell) => cell !== '');
  return values.slice(0, EXAMPLES).join(' · ');
}
