import type { WireEntry } from '@perfume/contract/history';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { onLiveChange } from '../../live/live-items.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { whatText } from '../../live/undo-text.ts';
import { undoWithToast } from '../../live/undo-with-toast.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { signed } from '../ledger/signed.ts';
import { batchQuery, previewQuery } from './history-query.ts';
import { shortTime } from './history-time.tsx';
import { entryLabel, isRedo, nameOf, whatOf, whatOfMany } from './history-words.ts';
import { personText } from './person-name.tsx';
import { batchAction } from './undo-batch.ts';
import styles from './undo-dialog.module.css';
import { PreviewFailed, UndoPreview } from './undo-preview.tsx';
import { markUndone } from './use-history.ts';

type UndoDialogProps = {
  entry: WireEntry;
  /** Whether to undo the whole bulk action instead of this one entry. */
  whole: boolean;
  onClose: () => void;
};

/** The dialog that opens before an undo. It shows what undoing will do, or why it is not possible. */
export function UndoDialog({ entry, whole, onClose }: UndoDialogProps) {
  const words = useWords();
  const { say, locale } = words;
  const preview = usePreview(entry, whole);
  const counted = useBatch(entry);
  const count = counted.data?.standing ?? null;
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<number | null>(null);
  const stop = useRef<AbortController>(null);
  const inHistory = { redoes: isRedo(entry) };

  async function undoThis() {
    setBusy(true);
    // Undoing the opening stock deletes the item, so no new quantity is shown in advance.
    const delta = entry.kind === 'opening' ? null : entry.delta;
    const action = entryAction({ ...entry, delta, what: whatOf(entry) }, ({ entry }) => markUndone(entry));
    if (await undoWithToast([action], words, { inHistory })) return onClose();
    setBusy(false);
    void preview.refetch();
  }

  async function undoAll() {
    if (entry.batch === null) return;
    setProgress(0);
    // Only the Stop button stops the undo; leaving the page does not.
    stop.current = new AbortController();
    const action = batchAction(entry.batch, whatOfMany(entry, count ?? 0), { signal: stop.current.signal });
    await undoWithToast([action], words, { inHistory, onProgress: setProgress });
    onClose();
  }

  const title = say('undo.of', {
    what: whole ? wordsOfAll(entry, count, words) : `${entryLabel(entry, words)}, ${nameOf(entry, words)}`,
  });
  const delta = entry.delta === null || whole ? '' : signed(entry.delta, locale);
  const about = [delta, personText(entry.by, words), shortTime(entry.at, locale)].filter(Boolean).join(' · ');
  if (progress !== null) {
    const text = say('undo.working', { count: progress });
    return (
      <Dialog title={title} closeLabel={say('undo.stop')} onClose={() => stop.current?.abort()}>
        <div className={styles.working}>
          <p role="status">{text}</p>
          <Progress label={text} {...(count && { value: Math.min(1, progress / count) })} />
        </div>
        <div className={styles.actions}>
          <Button onClick={() => stop.current?.abort()}>{say('undo.stop')}</Button>
        </div>
      </Dialog>
    );
  }
  const possible = !whole && preview.data?.possible === true;
  const hasMore = count !== null && count > (whole ? 0 : 1);
  return (
    <Dialog title={title} closeLabel={say('undo.close')} onClose={onClose}>
      <p className={styles.about}>
        <bdi>{about}</bdi>
      </p>
      {whole ? <Counting counted={counted} /> : <UndoPreview entry={entry} preview={preview} />}
      {hasMore && <p className={styles.batch}>{say('undo.partOfBatch', { count })}</p>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{say(possible || hasMore ? 'undo.cancel' : 'undo.close')}</Button>
        {hasMore && (
          <Button look={whole ? 'primary' : 'quiet'} onClick={() => void undoAll()}>
            {say('undo.all', { count })}
          </Button>
        )}
        {possible && (
          <Button look="primary" busy={busy} onClick={() => void undoThis()}>
            {say(hasMore ? 'undo.one' : 'undo.confirm')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Returns the text for the whole bulk action, without a number until the count is loaded. */
function wordsOfAll(entry: WireEntry, count: number | null, words: Words): string {
  return count === null ? entryLabel(entry, words) : whatText(whatOfMany(entry, count), words);
}

/** Loads the preview of the undo, and refetches it whenever the item changes while the dialog is open. */
function usePreview(entry: WireEntry, whole: boolean) {
  const preview = useQuery({ ...previewQuery(entry.id), enabled: !whole });
  const { refetch } = preview;
  useEffect(() => {
    if (whole) return;
    return onLiveChange(({ itemId, kind }) => {
      // A change of the settings reaches the screens as an edit of some item.
      if (entry.itemId === null ? kind === 'edited' : itemId === entry.itemId) void refetch();
    });
  }, [whole, entry.itemId, refetch]);
  return preview;
}

/** Loads how much of the entry's bulk action is not undone yet. */
function useBatch({ batch }: WireEntry) {
  return useQuery({ ...batchQuery(batch ?? ''), enabled: batch !== null, staleTime: 0 });
}

function Counting({ counted }: { counted: ReturnType<typeof useBatch> }) {
  const { say } = useWords();
  if (counted.error && !counted.data)
    return <PreviewFailed error={counted.error} onRetry={() => void counted.refetch()} />;
  return counted.isPending ? <Spinner label={say('Loading...')} /> : null;
}
