import { useQuery } from '@tanstack/react-query';
import { setReport, useReport } from '../../live/bulk-job.ts';
import { cachedItem, itemQuery } from '../../live/item-cache.ts';
import { isUnanswered, problemText } from '../../live/problem-text.ts';
import { undoRefusalText } from '../../live/undo-text.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './bulk-report.module.css';

const SHOWN = 100;

/** The dialog that lists the rows for which a bulk action failed. It offers a retry where that can help. */
export function BulkReport() {
  const words = useWords();
  const { say } = words;
  const report = useReport();
  if (report === null) return null;
  const { kind, failures, unfinished, done, retry } = report;
  const close = () => setReport(null);
  const tooFew = kind === 'deliver' && failures.some(({ problem }) => problem.code === 'out_of_stock');
  const unanswered = failures.some(({ problem }) => isUnanswered(problem));
  const reasonOf = kind === 'undo' ? undoRefusalText : problemText;
  const closeAnd = (act: () => void) => () => {
    close();
    act();
  };
  return (
    <Dialog
      title={say(unanswered ? 'bulk.failed.unconfirmed' : `bulk.failed.${kind}`, { count: failures.length })}
      {...(done && { description: done.text })}
      closeLabel={say('bulk.close')}
      onClose={close}
      wide
    >
      <ul className={styles.rows}>
        {failures.slice(0, SHOWN).map((failure) => (
          <FailedRow key={failure.id} id={failure.id} why={reasonOf(failure.problem, words)} onOpen={close} />
        ))}
      </ul>
      {failures.length > SHOWN && (
        <p className={styles.more}>{say('bulk.failed.more', { count: failures.length - SHOWN })}</p>
      )}
      {tooFew && <p className={styles.more}>{say('bulk.failed.tooFew')}</p>}
      {unanswered && <p className={styles.more}>{say('bulk.failed.safeToRetry')}</p>}
      {unfinished && <p className={styles.more}>{say('bulk.failed.notProcessed')}</p>}
      <div className={styles.actions}>
        {done && kind !== 'undo' && (
          <Button onClick={closeAnd(done.undo)}>{say(`bulk.undo.${kind}`, { count: done.count })}</Button>
        )}
        <Button look={retry ? 'quiet' : 'primary'} onClick={close}>
          {say('bulk.close')}
        </Button>
        {retry && (
          <Button look="primary" onClick={closeAnd(retry)}>
            {say('bulk.retry')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function FailedRow({ id, why, onOpen }: { id: string; why: string; onOpen: () => void }) {
  const { data } = useQuery({ ...itemQuery(id), initialData: () => cachedItem(id) ?? undefined });
  return (
    <li className={styles.row}>
      {data ? (
        <Link to={paths.item(id)} className={styles.name} onClick={onOpen}>
          <bdi>{data.name}</bdi>
        </Link>
      ) : (
        <bdi className={styles.name}>{id}</bdi>
      )}
      <span className={styles.why}>{why}</span>
    </li>
  );
}
