import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './query-result.module.css';

type QueryResultProps<Data> = {
  query: UseQueryResult<Data>;
  /** About as high as the answer will be, so that nothing jumps. */
  height: string;
  children: (data: Data) => ReactNode;
};

/** What was scope for, or that it is on its way, or why it did not come. */
export function QueryResult<Data>({ query, height, children }: QueryResultProps<Data>) {
  const words = useWords();
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (data !== undefined) {
    return (
      <div className={styles.answer} aria-busy={isPlaceholderData || undefined}>
        {children(data)}
      </div>
    );
  }
  if (error && !isFetching) {
    return (
      <EmptyState text={`${words.say('insights.failed')} ${problemText(error, words)}`} alert>
        <Button onClick={() => void refetch()}>{words.say('retry')}</Button>
      </EmptyState>
    );
  }
  return (
    <div>
      <Skeleton height={height} />
      <p className={styles.said} role="status">
        {words.say('insights.loading')}
      </p>
    </div>
  );
}
