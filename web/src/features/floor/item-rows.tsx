import type { Item } from '@perfume/domain/items';
import { ChevronRight, ClipboardCheck, Link2, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import { pressOnce } from '../ledger/press-once.ts';
import type { FloorMode } from './floor-mode.ts';
import styles from './item-rows.module.css';
import type { FloorRows } from './use-floor-rows.ts';

/** What a tap on a row does. `attach` gives the item an unknown code. */
type RowAction = FloorMode | 'attach';

type ItemRowsProps = { rows: FloorRows; q: string; action: RowAction; onTap: (item: Item) => void };

/** Items as large rows: one tap on a row does what the mode says. */
export function ItemRows({ rows: { items, state, retry }, q, action, onTap }: ItemRowsProps) {
  const { say } = useWords();
  if (state === 'failed') {
    return (
      <div className={styles.message} role="alert">
        <p>{say('floor.loadFailed')}</p>
        <Button onClick={retry}>{say('retry')}</Button>
      </div>
    );
  }
  if (state === 'loading') {
    return (
      <p className={styles.message} role="status">
        <Spinner /> {say('Loading...')}
      </p>
    );
  }
  if (items.length === 0) {
    return (
      <p className={styles.message} role="status">
        {q === '' ? say('floor.noItems') : say('floor.nothing', { q })}
      </p>
    );
  }
  return (
    <ul className={styles.rows} aria-label={q === '' ? say('floor.recent') : say('floor.results')}>
      {items.map((item) => (
        <li key={item.id}>
          <Row item={item} action={action} onTap={onTap} />
        </li>
      ))}
    </ul>
  );
}

function Row({ item, action, onTap }: { item: Item; action: RowAction; onTap: (item: Item) => void }) {
  const { say } = useWords();
  const content = <RowContent item={item} mark={<Mark action={action} />} />;
  if (action === 'find') {
    return (
      <Link to={paths.item(item.id)} className={styles.row}>
        {content}
      </Link>
    );
  }
  return (
    <button type="button" className={styles.row} data-action={action} onKeyDown={pressOnce} onClick={() => onTap(item)}>
      <span className="visually-hidden">{say(`floor.tap.${action}`)} </span>
      {content}
    </button>
  );
}

function RowContent({ item, mark }: { item: Item; mark: ReactNode }) {
  const { say, number } = useWords();
  return (
    <>
      <Picture src={item.imageUrl} alt="" width={44} height={52} />
      <span className={styles.name}>
        <bdi>{item.name}</bdi>
        <span className={styles.supplier}>
          <bdi>{item.supplierName}</bdi>
        </span>
      </span>
      <span className={styles.onHand} data-empty={item.quantity <= 0 || undefined}>
        <LiveNumber value={item.quantity} format={number} />
        <span className={styles.caption}>{say('floor.onHand')}</span>
      </span>
      <span className={styles.mark} aria-hidden="true">
        {mark}
      </span>
    </>
  );
}

const icons = { deliver: Minus, receive: Plus, count: ClipboardCheck, find: ChevronRight, attach: Link2 } as const;

function Mark({ action }: { action: RowAction }) {
  const { number } = useWords();
  return (
    <>
      <Icon of={icons[action]} size={20} flips={action === 'find'} />
      {(action === 'deliver' || action === 'receive') && number(1)}
    </>
  );
}
