import { MAX_LABELS } from '@perfume/domain/labels';
import {
  BellRing,
  Download,
  type LucideIcon,
  PackageMinus,
  PackageOpen,
  PackagePlus,
  Tag,
  Trash2,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { type BulkKind, type Job, useJob } from '../../live/bulk-job.ts';
import { useMay } from '../../live/may.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { Progress } from '../../ui/progress.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { type BulkAction, type BulkSelection, resolveRows, startBulk } from './bulk-actions.ts';
import styles from './bulk-bar.module.css';
import { exportCsv } from './bulk-export.ts';
import { BulkForm } from './bulk-form.tsx';
import { BulkReport } from './bulk-report.tsx';
import { labelsLink } from './labels-link.ts';
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

/** The actions that ask something first. */
type AskedFor = Exclude<BulkKind, 'assignCode'>;

function Actions({ bulkSelection, count, total, onClear }: BarProps & { count: number }) {
  const words = useWords();
  const { say } = words;
  const may = useMay();
  const [canMove, canChange] = [may('moveStock'), may('changeItems')];
  const [open, setOpen] = useState<{ action: AskedFor; units: number } | null>(null);
  const ask = (action: AskedFor, units = 1) => setOpen({ action, units });
  const close = () => setOpen(null);
  const start = (change: BulkAction) => {
    close();
    void startBulk(change, bulkSelection, words);
  };
  const navigate = useNavigate();
  async function openLabels() {
    if (count > MAX_LABELS)
      return notify({ kind: 'info', id: 'bulk-labels', text: say('bulk.tooManyForLabels', { most: MAX_LABELS }) });
    const ids = await resolveRows('labels', bulkSelection, words);
    if (ids === null) return;
    const { to, state } = labelsLink(ids);
    navigate(to, { state });
  }
  // With rows selected, these keys act on the selection, not on the row with the focus.
  useShortcut('d', say('bulk.keys.deliver'), (units) => ask('deliver', units), {
    countable: true,
    enabled: canMove,
  });
  useShortcut('r', say('bulk.keys.restock'), (units) => ask('restock', units), {
    countable: true,
    enabled: canMove,
  });
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
        {canMove && (
          <>
            <BarButton icon={PackageMinus} onClick={() => start({ action: 'deliver', units: 1 })}>
              {say('bulk.deliver')}
            </BarButton>
            <BarButton icon={PackageOpen} opens onClick={() => ask('deliver')}>
              {say('bulk.deliverUnits')}
            </BarButton>
            <BarButton icon={PackagePlus} opens onClick={() => ask('restock')}>
              {say('bulk.restock')}
            </BarButton>
          </>
        )}
        {canChange && (
          <BarButton icon={BellRing} opens onClick={() => ask('setReorderPoint')}>
            {say('bulk.reorderPoint')}
          </BarButton>
        )}
        <BarButton icon={Download} onClick={() => void exportCsv(bulkSelection, words)}>
          {say('bulk.export')}
        </BarButton>
        <BarButton icon={Tag} onClick={() => void openLabels()}>
          {say('bulk.labels')}
        </BarButton>
        {canChange && (
          <BarButton icon={Trash2} opens onClick={() => ask('delete')}>
            {say('bulk.delete')}
          </BarButton>
        )}
      </div>
      {open?.action === 'delete' ? (
        <Confirm
          title={say('bulk.deleteTitle', { count })}
          text={say('delete.question')}
          confirmLabel={say('delete.confirm')}
          cancelLabel={say('delete.cancel')}
          onConfirm={() => start({ action: 'delete' })}
          onCancel={close}
        />
      ) : (
        open && <BulkForm {...open} action={open.action} count={count} onSubmit={start} onClose={close} />
      )}
    </>
  );
}

type BarButtonProps = { icon: LucideIcon; opens?: boolean; onClick: () => void; children: string };

/** `opens`: the button opens a dialog. */
function BarButton({ icon, opens = false, onClick, children }: BarButtonProps) {
  return (
    <Button size="s" className={styles.action} aria-haspopup={opens ? 'dialog' : undefined} onClick={onClick}>
      <Icon of={icon} size={18} />
      {children}
    </Button>
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
