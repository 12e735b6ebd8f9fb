import type { WireEntry } from '@perfume/contract/history';
import type { UseQueryResult } from '@tanstack/react-query';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import { Changes } from './history-details.tsx';
import type { Preview } from './history-query.ts';
import styles from './undo-preview.module.css';
import { previewRefusalText } from './undo-refusal-text.ts';

/** Shows the effect of an undo, or why it is not possible. */
export function UndoPreview({ entry, preview }: { entry: WireEntry; preview: UseQueryResult<Preview> }) {
  const words = useWords();
  const { say } = words;
  const { data, error, refetch } = preview;
  if (error) return <PreviewFailed error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status" className={styles.preview}>
      {!data ? (
        <Spinner label={say('Loading...')} />
      ) : data.possible && data.effect ? (
        <Effect effect={data.effect} name={entry.itemName ?? ''} />
      ) : (
        <>
          <p className={styles.cannot}>{say('undo.cannot')}</p>
          <p>{previewRefusalText(data, entry, words)}</p>
        </>
      )}
    </div>
  );
}

/** The error message when the preview failed to load, with a retry button. */
export function PreviewFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const words = useWords();
  return (
    <div role="alert" className={styles.failed}>
      <p>{problemText(error, words)}</p>
      <Button size="s" onClick={onRetry}>
        {words.say('retry')}
      </Button>
    </div>
  );
}

function Effect({ effect, name }: { effect: NonNullable<Preview['effect']>; name: string }) {
  const { say, number } = useWords();
  switch (effect.kind) {
    case 'deleted':
      return <p className={styles.effect}>{say('undo.deletes', { name })}</p>;
    case 'restored':
      return <p className={styles.effect}>{say('undo.restores', { name })}</p>;
    case 'edited':
    case 'settings':
      return (
        <>
          <p>{say('undo.edits')}</p>
          <Changes changes={effect.changes} />
        </>
      );
    case 'stock': {
      const delta = effect.delta ?? 0;
      const after = effect.quantityAfter ?? 0;
      const figures = { count: Math.abs(delta), before: number(after - delta), after: number(after) };
      return <p className={styles.effect}>{say(delta > 0 ? 'undo.putsBack' : 'undo.removes', figures)}</p>;
    }
  }
}
