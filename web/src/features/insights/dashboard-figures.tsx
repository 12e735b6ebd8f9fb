import { dayOf, dayText } from '@perfume/domain/insights';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './dashboard-figures.module.css';
import { DashboardFiguresSkeleton } from './dashboard-figures-skeleton.tsx';
import { useFigureWords } from './figure-words.ts';
import { TableSwitch } from './insight-section.tsx';
import { type Figures, figuresQuery, seriesQuery } from './insights-query.ts';
import { QueryResult } from './query-result.tsx';
import { StockSeries } from './stock-series.tsx';
import { Trend } from './trend.tsx';
import { useLiveInsights } from './use-live-insights.ts';

/** The live totals of the warehouse. */
export function DashboardFigures() {
  useLiveInsights();
  const words = useWords();
  const { say } = words;
  const { time } = useFigureWords();
  const may = useMay();
  const { data, error, isFetching, refetch } = useQuery(figuresQuery);
  return (
    <section className={styles.figures} aria-labelledby="true-figures">
      <header className={styles.head}>
        <h2 id="true-figures">{say('figures.heading')}</h2>
        {data && <p className={styles.asOf}>{say('figures.asOf', { time: time(Date.parse(data.asOf)) })}</p>}
      </header>
      {data && data.items > 0 && <Totals figures={data} />}
      {data?.items === 0 && (
        <EmptyState text={say('figures.empty')}>
          {may('changeItems') && (
            <LinkButton to={paths.addItem} look="primary">
              {say('figures.add')}
            </LinkButton>
          )}
        </EmptyState>
      )}
      {!data && error && !isFetching && (
        <EmptyState text={`${say('figures.failed')} ${problemText(error, words)}`} alert>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </EmptyState>
      )}
      {!data && !(error && !isFetching) && <DashboardFiguresSkeleton />}
    </section>
  );
}

function Totals({ figures }: { figures: Figures }) {
  const { say, number, money } = useWords();
  return (
    <>
      <dl className={styles.now}>
        <div className={styles.figure}>
          <dt>{say('figures.value')}</dt>
          <dd className={styles.worth}>
            <LiveNumber value={figures.valueCents} format={money} />
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{say('figures.units')}</dt>
          <dd>
            <LiveNumber value={figures.unitsOnHand} format={number} />
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{say('figures.items')}</dt>
          <dd>
            <LiveNumber value={figures.items} format={number} />
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{say('figures.low')}</dt>
          <dd data-tone={figures.low > 0 ? 'low' : undefined}>
            <Link
              to={`${paths.manageInventory}?stock=low`}
              aria-label={`${say('figures.low')}: ${number(figures.low)}`}
            >
              <LiveNumber value={figures.low} format={number} />
            </Link>
          </dd>
        </div>
        <div className={styles.figure}>
          <dt>{say('figures.out')}</dt>
          <dd data-tone={figures.out > 0 ? 'out' : undefined}>
            <Link
              to={`${paths.manageInventory}?stock=out`}
              aria-label={`${say('figures.out')}: ${number(figures.out)}`}
            >
              <LiveNumber value={figures.out} format={number} />
            </Link>
          </dd>
        </div>
      </dl>
      <RecentMovements figures={figures} />
      <p className={styles.periods}>{say('figures.periods')}</p>
      <StockLast90Days />
    </>
  );
}

function RecentMovements({ figures }: { figures: Figures }) {
  const { say, number } = useWords();
  return (
    <dl className={styles.moved}>
      {(['delivered', 'restocked'] as const).flatMap((kind) =>
        (['week', 'month'] as const).map((period) => (
          <div key={kind + period} className={styles.figure}>
            <dt>
              {say(`figures.${kind}`)} <span className={styles.period}>{say(`figures.${period}`)}</span>
            </dt>
            <dd>
              <LiveNumber value={figures[kind][period].units} format={number} />
              <Trend {...figures[kind][period]} />
            </dd>
          </div>
        )),
      )}
    </dl>
  );
}

const DAYS = 90;

function StockLast90Days() {
  const { say } = useWords();
  const [asTable, setAsTable] = useState(false);
  const today = dayOf(Date.now());
  const query = useQuery(seriesQuery({ from: dayText(today - DAYS + 1), to: dayText(today), supplier: '' }, 'day'));
  const name = say('figures.overTime');
  return (
    <div className={styles.chart}>
      <header className={styles.chartHead}>
        <h3>{name}</h3>
        <div className={styles.tools}>
          <TableSwitch name={name} on={asTable} onChange={setAsTable} />
          <LinkButton to={paths.analysetic} look="plain" size="s">
            {say('figures.open')}
          </LinkButton>
        </div>
      </header>
      <QueryResult query={query} height="22rem">
        {(series) => <StockSeries series={series} name={name} asTable={asTable} />}
      </QueryResult>
    </div>
  );
}
