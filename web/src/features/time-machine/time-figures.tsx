import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { Button } from '../../ui/button.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import styles from './time-figures.module.css';
import { type Figures, figuresNowQuery, figuresQuery } from './time-machine-query.ts';

const names = ['items', 'units', 'valueCents', 'low', 'out'] as const satisfies (keyof Figures)[];
type Name = (typeof names)[number];

/** The totals at the chosen instant, and their difference from now. */
export function TimeFigures({ at, narrow }: { at: string | undefined; narrow: boolean }) {
  const { say, money } = useWords();
  useLiveFigures();
  const now = useQuery(figuresNowQuery);
  const then = useQuery({ ...figuresQuery(at ?? ''), enabled: at !== undefined });
  const { data, isError, isPlaceholderData, refetch } = at === undefined ? now : then;
  if (isError && (data === undefined || isPlaceholderData)) {
    return (
      <div role="alert" className={styles.failed}>
        <p>{say('timeMachine.figuresFailed')}</p>
        <Button size="s" onClick={() => void refetch()}>
          {say('retry')}
        </Button>
      </div>
    );
  }
  const figures = (
    <dl className={styles.figures} aria-busy={data === undefined || isPlaceholderData || undefined}>
      {names.map((name) => (
        <Figure key={name} name={name} figures={data} now={at === undefined ? undefined : now.data} />
      ))}
    </dl>
  );
  if (!narrow) return figures;
  return (
    <details className={styles.folded}>
      <summary>
        {data ? (
          say('timeMachine.inShort', { count: data.units, value: money(data.valueCents) })
        ) : (
          <Skeleton width="12ch" />
        )}
      </summary>
      {figures}
    </details>
  );
}

type FigureProps = { name: Name; figures: Figures | undefined; now: Figures | undefined };

function Figure({ name, figures, now }: FigureProps) {
  const words = useWords();
  const write = name === 'valueCents' ? words.money : words.number;
  return (
    <div className={styles.figure} data-name={name}>
      <dt>{words.say(`timeMachine.${name}`)}</dt>
      <dd>
        <strong>
          {figures ? <LiveNumber value={figures[name]} format={write} /> : <Skeleton width="4ch" height="1.1em" />}
        </strong>
        {figures && now && (
          <span className={styles.difference}>{difference(name, figures[name] - now[name], write, words)}</span>
        )}
      </dd>
    </div>
  );
}

function difference(name: Name, by: number, write: (value: number) => string, { say }: Words): string {
  if (by === 0) return say('timeMachine.same');
  const amount = write(Math.abs(by));
  if (by > 0) return say('timeMachine.more', { amount });
  return name === 'valueCents' ? say('timeMachine.less', { amount }) : say('timeMachine.fewer', { amount });
}

const BATCH_MS = 1_000;

/** Refetches the present figures after changes, once for many changes. Figures of the past do not change. */
function useLiveFigures(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveChange(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries(figuresNowQuery);
      }, BATCH_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
