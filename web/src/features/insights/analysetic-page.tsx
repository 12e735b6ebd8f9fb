import { dayOf, dayText } from '@perfume/domain/insights';
import { Printer } from 'lucide-react';
import { useCallback } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { SaveView } from '../views/save-view.tsx';
import styles from './analysetic-page.module.css';
import { DeadStock } from './dead-stock.tsx';
import { useFigureWords } from './figure-words.ts';
import { InsightsFilterBar } from './insights-filter-bar.tsx';
import { offeredSteps, useInsightsFilters } from './insights-filters.ts';
import { MovementsOverTime, StockOverTime } from './over-time.tsx';
import { Sellers } from './sellers.tsx';
import { Suppliers } from './suppliers.tsx';
import { useLiveInsights } from './use-live-insights.ts';

/** The page at /dashboard/anlaysetic, spelled as in the spec: what moves, what sells, and what does not. */
export function AnalyseticPage() {
  useLiveInsights();
  const { say } = useWords();
  const { span } = useFigureWords();
  const today = dayOf(Date.now());
  const { filters, change } = useInsightsFilters(today);
  const { from, to, supplier, step } = filters;
  const scope = { from: dayText(from), to: dayText(to), supplier };
  const days = to - from + 1;
  const choose = useCallback((name: string) => change({ supplier: name }), [change]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{say('insights.heading')}</h1>
          <p className={styles.lead}>{say('insights.lead')}</p>
        </div>
        <div className={styles.tools}>
          <SaveView page="analysetic" suggestion={[supplier || say('insights.heading'), span(from, to)].join(' · ')} />
          <Button onClick={() => print()}>
            <Icon of={Printer} size={18} />
            {say('insights.print')}
          </Button>
        </div>
      </header>
      <InsightsFilterBar filters={filters} scope={scope} today={today} onChange={change} />
      <p className={styles.asked}>
        <span>{span(from, to)}</span>
        <bdi>{supplier === '' ? say('insights.supplier.any') : supplier}</bdi>
      </p>
      <StockOverTime scope={scope} days={days} />
      <MovementsOverTime
        scope={scope}
        step={step}
        offered={offeredSteps(days)}
        onStep={(next) => change({ step: next })}
      />
      <div className={styles.pair}>
        <Sellers scope={scope} order="fastest" />
        <Sellers scope={scope} order="slowest" />
      </div>
      <Suppliers scope={scope} onChoose={choose} />
      <DeadStock days={today - from + 1} supplier={supplier} />
      <p className={styles.note}>{say('insights.note')}</p>
    </div>
  );
}
