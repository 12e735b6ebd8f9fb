import { ChevronDown, ChevronUp, Columns3 } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useWords } from '../../../words/words.tsx';
import { columnLabel } from './column-head.tsx';
import { type Chosen, type Column, columnNames, defaultColumns, moveColumn, toggleColumn } from './columns.ts';
import styles from './columns-button.module.css';

type ColumnsProps = { chosen: readonly Chosen[]; onChoose: (chosen: readonly Chosen[]) => void };

/** The button that opens the choice of columns. */
export function ColumnsButton(props: ColumnsProps) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label={say('columns.heading')}
        title={say('columns.heading')}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon of={Columns3} />
      </IconButton>
      {isOpen && (
        <Dialog
          title={say('columns.heading')}
          description={say('columns.lead')}
          closeLabel={say('columns.close')}
          onClose={() => setIsOpen(false)}
        >
          <ColumnChoices {...props} />
        </Dialog>
      )}
    </>
  );
}

/** The columns that are shown, in their order, and below them the others. Each change is on the page at once. */
function ColumnChoices({ chosen: start, onChoose }: ColumnsProps) {
  // Not the columns of the page, which follow a moment later, with the address.
  const [chosen, setChosen] = useState(start);
  const words = useWords();
  const { say } = words;
  const list = useRef<HTMLUListElement>(null);
  const [pressed, setPressed] = useState<{ column: Column; by: -1 | 0 | 1 } | null>(null);
  const shown = chosen.map(({ column }) => column);
  const hidden = columnNames.filter((column) => !shown.includes(column));
  const position = pressed ? shown.indexOf(pressed.column) + 1 : 0;
  // Browsers take the focus from an element that moves.
  useLayoutEffect(() => {
    if (pressed) list.current?.querySelector<HTMLElement>(`[data-press="${pressed.column} ${pressed.by}"]`)?.focus();
  }, [pressed]);

  function choose(next: readonly Chosen[]): void {
    setChosen(next);
    onChoose(next);
  }

  function press(column: Column, by: -1 | 0 | 1): void {
    choose(by === 0 ? toggleColumn(chosen, column) : moveColumn(chosen, column, by));
    setPressed({ column, by });
  }

  const moveButton = (column: Column, by: -1 | 1, isPossible: boolean) => (
    <IconButton
      label={say(by < 0 ? 'columns.up' : 'columns.down', { name: columnLabel(column, words) })}
      aria-disabled={!isPossible}
      data-press={`${column} ${by}`}
      onClick={() => isPossible && press(column, by)}
    >
      <Icon of={by < 0 ? ChevronUp : ChevronDown} size={18} />
    </IconButton>
  );

  return (
    <>
      <ul ref={list} className={styles.list}>
        {[...shown, ...hidden].map((column, at) => (
          <li key={column} className={styles.column}>
            <Checkbox
              label={columnLabel(column, words)}
              checked={at < shown.length}
              disabled={column === 'name'}
              data-press={`${column} 0`}
              onChange={() => press(column, 0)}
            />
            {at < shown.length && (
              <span className={styles.moves}>
                {moveButton(column, -1, at > 0)}
                {moveButton(column, 1, at < shown.length - 1)}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {pressed &&
          pressed.by !== 0 &&
          say('columns.moved', { name: columnLabel(pressed.column, words), position, count: shown.length })}
      </p>
      <div className={styles.actions}>
        <Button onClick={() => choose(defaultColumns.map((column) => ({ column, width: null })))}>
          {say('columns.reset')}
        </Button>
      </div>
    </>
  );
}
