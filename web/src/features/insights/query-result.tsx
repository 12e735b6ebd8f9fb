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
  /** The approximate height of the result, so that the page does not jump. */
  height: string;
  children: (data: Data) => ReactNode;
};

/** Shows the result of a query, a skeleton while it loads, or the error with a retry button. */
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
      <p className="visually-hidden" role="status">
        {words.say('insights.loading')}
      </p>
    </div>
  );
}
