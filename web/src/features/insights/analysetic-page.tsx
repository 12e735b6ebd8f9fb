import { dayOf, dayText } from '@perfume/domain/insights';
import { Printer } from 'lucide-react';
import { useCallback } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './analysetic-page.module.css';
import { DeadStock } from './dead-stock.tsx';
import { useFigureWords } from './figure-words.ts';
import { InsightFilters } from './insight-filters.tsx';
import { offeredSteps, useInsightsQuestion } from './insights-question.ts';
import { MovementsOverTime, ShelfOverTime } from './over-time.tsx';
import { Sellers } from './sellers-table.tsx';
import { Suppliers } from './suppliers-table.tsx';
import { useLiveInsights } from './use-live-insights.ts';

/** /dashboard/anlaysetic: what moves, what sells, what lies still. */
export function AnalyseticPage() {
  useLiveInsights();
  const { say } = useWords();
  const { span } = useFigureWords();
  const today = dayOf(Date.now());
  const { question, change } = useInsightsQuestion(today);
  const { from, to, supplier, step } = question;
  const asked = { from: dayText(from), to: dayText(to), supplier };
  const days = to - from + 1;
  const choose = useCallback((name: string) => change({ supplier: name }), [change]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{say('insights.heading')}</h1>
          <p className={styles.lead}>{say('insights.lead')}</p>
        </div>
        <Button className={styles.print} onClick={() => print()}>
          <Icon of={Printer} size={18} />
          {say('insights.print')}
        </Button>
      </header>
      <InsightFilters question={question} asked={asked} today={today} onChange={change} />
      <p className={styles.asked}>
        <span>{span(from, to)}</span>
        <bdi>{supplier === '' ? say('insights.supplier.any') : supplier}</bdi>
      </p>
      <ShelfOverTime asked={asked} days={days} />
      <MovementsOverTime
        asked={asked}
        step={step}
        offered={offeredSteps(days)}
        onStep={(wanted) => change({ step: wanted })}
      />
      <div className={styles.pair}>
        <Sellers asked={asked} order="fastest" />
        <Sellers asked={asked} order="slowest" />
      </div>
      <Suppliers asked={asked} onChoose={choose} />
      <DeadStock days={today - from + 1} supplier={supplier} />
      <p className={styles.note}>{say('insights.note')}</p>
    </div>
  );
}
