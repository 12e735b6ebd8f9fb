import { Download, PackageMinus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { type Job, useJob } from '../../live/bulk-job.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useWords } from '../../words/words.tsx';
import { type BulkSelection, startBulk } from './bulk-actions.ts';
import styles from './bulk-bar.module.css';
import { exportCsv } from './bulk-export.ts';
import { BulkReport } from './bulk-report.tsx';
import { countSelected } from './selection.ts';

type BarProps = { bulkSelection: BulkSelection; total: number; onClear: () => void };

/** The bar with the actions for the selected rows, or with the progress of the action that is running. */
export function BulkBar({ bulkSelection, total, onClear }: BarProps) {
  const { say } = useWords();
  const job = useJob();
  const count = countSelected(bulkSelection.selection);
  return (
    <>
      {(count > 0 || job) && (
        <section className={styles.bar} aria-label={say('bulk.region')}>
          {job ? (
            <Working job={job} />
          ) : (
            <Actions bulkSelection={bulkSelection} count={count} total={total} onClear={onClear} />
          )}
        </section>
      )}
      <BulkReport />
    </>
  );
}

function Actions({ bulkSelection, count, total, onClear }: BarProps & { count: number }) {
  const words = useWords();
  const { say } = words;
  const [confirming, setConfirming] = useState(false);
  const isAll = bulkSelection.selection.kind === 'all' && count === total;
  return (
    <>
      <p className={styles.count} role="status">
        {isAll ? say('bulk.allSelected', { count }) : say('bulk.selected', { count })}
      </p>
      <IconButton label={say('bulk.clear')} onClick={onClear} className={styles.clear}>
        <Icon of={X} />
      </IconButton>
      <div className={styles.actions}>
        <Button size="s" className={styles.action} onClick={() => void startBulk('deliver', bulkSelection, words)}>
          <Icon of={PackageMinus} size={18} />
          {say('bulk.deliver')}
        </Button>
        <Button size="s" className={styles.action} onClick={() => void exportCsv(bulkSelection, words)}>
          <Icon of={Download} size={18} />
          {say('bulk.export')}
        </Button>
        <Button size="s" className={styles.action} onClick={() => setConfirming(true)}>
          <Icon of={Trash2} size={18} />
          {say('bulk.delete')}
        </Button>
      </div>
      {confirming && (
        <Confirm
          title={say('bulk.deleteTitle', { count })}
          text={say('delete.question')}
          confirmLabel={say('delete.confirm')}
          cancelLabel={say('delete.cancel')}
          onConfirm={() => {
            setConfirming(false);
            void startBulk('delete', bulkSelection, words);
          }}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}

function Working({ job: { kind, done, total, cancel } }: { job: Job }) {
  const { say } = useWords();
  const [stopping, setStopping] = useState(false);
  const text = say(`bulk.working.${kind}`, { done, total });
  return (
    <div className={styles.working}>
      <p className={styles.count} role="status">
        {text}
      </p>
      <Progress label={text} {...(total > 0 && { value: Math.min(1, done / total) })} />
      <Button
        size="s"
        className={styles.action}
        busy={stopping}
        onClick={() => {
          setStopping(true);
          cancel();
        }}
      >
        {say('bulk.cancel')}
      </Button>
    </div>
  );
}
