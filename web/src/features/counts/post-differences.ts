import type { CountReason } from '@perfume/domain/ledger';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { refetchLists } from '../../live/item-cache.ts';
import { withUpdatesHeld } from '../../live/live-items.ts';
import { performed } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { batchQuery } from '../history/history-query.ts';
import { batchAction } from '../history/undo-batch.ts';

type Posting = { batch: string; reason?: CountReason; note?: string };

/** Posts the differences of a session, one chunk per request. A toast says what was posted, and undoes it as one. */
export async function postDifferences(
  countId: string,
  { batch, reason, note }: Posting,
  words: Words,
  onLeft: (left: number) => void,
): Promise<void> {
  const body = { batch, ...(reason && { reason }), ...(note && { note }) };
  let posted = 0;
  let refused = 0;
  try {
    for (let left = 1; left > 0; ) {
      const { data } = await withUpdatesHeld(() =>
        retryUntilAnswered((signal) => call('POST /counts/:id/post', { params: { id: countId }, body, signal })),
      );
      posted += data.results.filter(({ ok }) => ok).length;
      refused += data.results.filter(({ ok }) => !ok).length;
      left = data.left;
      onLeft(left);
    }
  } finally {
    refetchLists();
    await queryClient.invalidateQueries({ queryKey: ['count', countId] });
    void queryClient.invalidateQueries({ queryKey: ['counts'] });
  }
  // If an answer got lost, its results are not among those above.
  const made = await queryClient.fetchQuery({ ...batchQuery(batch), staleTime: 0 }).catch(() => null);
  notifyPosted(batch, { posted: made?.entries ?? posted, refused }, words);
}

function notifyPosted(batch: string, { posted, refused }: { posted: number; refused: number }, words: Words): void {
  const { say } = words;
  const parts = [
    posted > 0 || refused > 0 ? say('counting.posted', { count: posted }) : say('counting.posted.none'),
    refused > 0 && say('counting.posted.refused', { count: refused }),
  ];
  const text = parts.filter(Boolean).join(' ');
  const kind = refused > 0 ? 'info' : 'success';
  if (posted === 0) {
    notify({ kind, id: batch, text });
    return;
  }
  const action = batchAction(batch, { kind: 'correctMany', count: posted });
  performed(action);
  notify({ kind, id: batch, text, action: undoAction([action], words) });
}
