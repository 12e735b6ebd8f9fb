import { countReasons } from '@perfume/domain/ledger';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { itemQuery } from '../../live/item-cache.ts';
import { Button } from '../../ui/button.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import { type CountDraft, cancelCount, changeCount, countedUnits, saveCount, upToDate } from './count-draft.ts';
import styles from './count-panel.module.css';
import { Stepper } from './stepper.tsx';

/** The count of one item: scanning it again adds one, a number can be typed, and another scan saves it. */
export function CountPanel({ draft }: { draft: CountDraft }) {
  const { say } = useWords();
  const { text, reason } = draft;
  const { data: latest } = useQuery({ ...itemQuery(draft.item.id), staleTime: Number.POSITIVE_INFINITY });
  const { item } = upToDate(draft, latest);
  const counted = countedUnits(draft);
  const reasonId = useId();
  const isChanged = item.quantity !== draft.item.quantity;
  const isWrong = counted === null && text.trim() !== '';
  return (
    <section className={styles.panel} aria-label={say('count.named', { name: item.name })}>
      <Picture src={item.imageUrl} alt="" width={64} height={76} eager className={styles.picture} />
      <div className={styles.head}>
        <h2 className={styles.name}>
          <bdi>{item.name}</bdi>
        </h2>
        <p className={styles.recorded}>{say('count.recorded', { quantity: item.quantity })}</p>
      </div>
      <div className={styles.fields}>
        <Stepper
          label={say('count.counted')}
          text={text}
          canStepDown={(counted ?? 0) > 0}
          onText={(next) => changeCount({ text: next })}
          onStep={(by) => changeCount({ text: String(Math.max(0, (counted ?? 0) + by)) })}
        />
        {counted !== null && counted !== item.quantity && (
          <div className={styles.reason}>
            <label htmlFor={reasonId} className={styles.label}>
              {say('count.reason')}
            </label>
            <select
              id={reasonId}
              className={styles.select}
              value={reason}
              onChange={({ target }) =>
                changeCount({ reason: countReasons.find((one) => one === target.value) ?? 'miscount' })
              }
            >
              {countReasons.map((one) => (
                <option key={one} value={one}>
                  {say(`reason.${one}`)}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <p className={styles.wrong} role="status">
        {isWrong && say('count.wrong')}
        {!isWrong && isChanged && say('count.changed', { before: draft.item.quantity, after: item.quantity })}
      </p>
      <div className={styles.buttons}>
        <Button look="primary" className={styles.button} disabled={counted === null} onClick={saveCount}>
          {say('save')}
        </Button>
        <Button className={styles.button} onClick={cancelCount}>
          {say('delete.cancel')}
        </Button>
      </div>
    </section>
  );
}
