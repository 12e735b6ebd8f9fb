import type { Step } from '@perfume/domain/insights';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { useWords } from '../../words/words.tsx';
import { InsightSection, TableSwitch } from './insight-section.tsx';
import { type InsightsScope, type Series, scopeParams, seriesQuery } from './insights-query.ts';
import { MovementsChart } from './movements-chart.tsx';
import styles from './over-time.module.css';
import { PointsTable } from './points-table.tsx';
import { QueryResult } from './query-result.tsx';
import { StockSeries } from './stock-series.tsx';

/** The units and value in stock at the end of each day, or of each week in long periods. */
export function StockOverTime({ scope, days }: { scope: InsightsScope; days: number }) {
  const { say } = useWords();
  const [asTable, setAsTable] = useState(false);
  const step = days > 400 ? 'week' : 'day';
  const query = useQuery(seriesQuery(scope, step));
  const name = say('stockOverTime.heading');
  return (
    <InsightSection
      heading={name}
      controls={<TableSwitch name={name} on={asTable} onChange={setAsTable} />}
      file={{ path: '/exports/series', query: { ...scopeParams(scope), step } }}
    >
      <QueryResult query={query} height="22rem">
        {(series) => <StockSeries series={series} name={name} asTable={asTable} />}
      </QueryResult>
    </InsightSection>
  );
}

type MovementsProps = { scope: InsightsScope; step: Step; offered: readonly Step[]; onStep: (step: Step) => void };

export function MovementsOverTime({ scope, step, offered, onStep }: MovementsProps) {
  const { say } = useWords();
  const [asTable, setAsTable] = useState(false);
  const query = useQuery(seriesQuery(scope, step));
  const name = say('movements.heading');
  return (
    <InsightSection
      heading={name}
      controls={<TableSwitch name={name} on={asTable} onChange={setAsTable} />}
      file={{ path: '/exports/series', query: { ...scopeParams(scope), step } }}
    >
      <div className={styles.step}>
        <RadioGroup
          label={say('movements.step')}
          value={step}
          options={offered.map((one) => ({ value: one, text: say(`movements.step.${one}`) }))}
          onChoose={onStep}
        />
      </div>
      <QueryResult query={query} height="28rem">
        {(series) => <Movements series={series} name={name} asTable={asTable} />}
      </QueryResult>
    </InsightSection>
  );
}

function Movements({ series, name, asTable }: { series: Series; name: string; asTable: boolean }) {
  const { say, number } = useWords();
  const total = (part: 'restocked' | 'delivered' | 'corrected' | 'other') =>
    series.points.reduce((sum, point) => sum + point[part], 0);
  const still = series.points.every((point) => point.restocked === 0 && point.delivered === 0);
  return (
    <>
      <dl className={styles.totals}>
        {(['restocked', 'delivered', 'corrected', 'other'] as const).map((part) => (
          <div key={part}>
            <dt>{say(`movements.${part}`)}</dt>
            <dd>{number(total(part))}</dd>
          </div>
        ))}
      </dl>
      {asTable && <PointsTable series={series} name={name} shows="movements" />}
      {!asTable && still && <EmptyState text={say('movements.none')} />}
      {!asTable && !still && <MovementsChart series={series} label={name} />}
    </>
  );
}
