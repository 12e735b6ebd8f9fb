import type { Item } from '@perfume/domain/items';
import { labelCode } from '@perfume/domain/labels';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { ItemCombobox } from '../items/item-combobox.tsx';
import styles from './chosen-items.module.css';
import { arrivedWithin } from './label-items-query.ts';

type ChosenItemsProps = {
  items: readonly Item[];
  onChange: (next: (ids: string[]) => string[]) => void;
};

/** The items to label, with a search and what just arrived to add more. */
export function ChosenItems({ items, onChange }: ChosenItemsProps) {
  const { say } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const add = (added: readonly string[]) => onChange((ids) => [...new Set([...ids, ...added])]);
  // The button disappears with its row, so the focus moves to the field.
  const remove = (removed: readonly string[]) => {
    field.current?.focus();
    onChange((ids) => ids.filter((id) => !removed.includes(id)));
  };
  return (
    <section className={styles.items} aria-labelledby="label-items">
      <h2 id="label-items">{say('labels.items')}</h2>
      <ItemCombobox
        ref={field}
        label={say('labels.add')}
        placeholder={say('labels.add.placeholder')}
        listLabel={say('labels.add.found')}
        noneLabel={say('labels.add.none')}
        onPick={({ id }) => add([id])}
      />
      <Arrived onFound={add} />
      {items.length > 0 && (
        <>
          <ul className={styles.list}>
            {items.map((item) => (
              <li key={item.id} className={styles.row}>
                <Link to={paths.item(item.id)} className={styles.name}>
                  <bdi>{item.name}</bdi>
                </Link>
                <bdi className={styles.code}>{labelCode(item) ?? say('labels.noCode')}</bdi>
                <IconButton label={say('labels.remove', { name: item.name })} onClick={() => remove([item.id])}>
                  <Icon of={X} size={16} />
                </IconButton>
              </li>
            ))}
          </ul>
          {items.length > 1 && (
            <Button look="plain" size="s" className={styles.clear} onClick={() => remove(items.map(({ id }) => id))}>
              {say('labels.removeAll')}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

const spans = { day: 1, week: 7 } as const;

/** Buttons that add what was restocked or added lately. */
function Arrived({ onFound }: { onFound: (ids: string[]) => void }) {
  const words = useWords();
  const { say } = words;
  const [busy, setBusy] = useState<keyof typeof spans | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function addArrived(span: keyof typeof spans) {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setBusy(span);
    try {
      const ids = await arrivedWithin(spans[span], signal);
      if (ids.length === 0) notify({ kind: 'info', id: 'arrived', text: say(`labels.arrived.${span}.none`) });
      else onFound(ids);
    } catch (problem) {
      if (signal.aborted) return;
      console.error(problem);
      notify({ kind: 'error', id: 'arrived', text: problemText(problem, words) });
    }
    setBusy(null);
  }

  return (
    <div className={styles.arrived}>
      <p id="arrived">{say('labels.arrived')}</p>
      <fieldset aria-labelledby="arrived">
        {(['day', 'week'] as const).map((span) => (
          <Button key={span} size="s" busy={busy === span} onClick={() => busy === null && void addArrived(span)}>
            {say(`labels.arrived.${span}`)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
