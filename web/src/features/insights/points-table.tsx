import { parseDay } from '@perfume/domain/insights';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import { useFigureWords } from './figure-words.ts';
import type { Series } from './insights-query.ts';
import styles from './points-table.module.css';

/** The figures of a chart as a table, newest first, in a scrollable frame. */
export function PointsTable({ series, name, shows }: { series: Series; name: string; shows: 'stock' | 'movements' }) {
  const { say, number, money } = useWords();
  const figures = useFigureWords();
  const rows = series.points.toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" className={styles.frame} aria-label={say('insights.asTable.of', { name })} tabIndex={0}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{say(`movements.step.${series.step}`)}</th>
            {shows === 'stock' ? (
              <>
                <FigureHead>{say('stockOverTime.units')}</FigureHead>
                <FigureHead>{say('stockOverTime.value')}</FigureHead>
              </>
            ) : (
              <>
                <FigureHead>{say('movements.restocked')}</FigureHead>
                <FigureHead>{say('movements.delivered')}</FigureHead>
                <FigureHead>{say('movements.corrected')}</FigureHead>
                <FigureHead>{say('movements.other')}</FigureHead>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.from}>
              <th scope="row">{figures.span(parseDay(point.from) ?? 0, parseDay(point.to) ?? 0)}</th>
              {shows === 'stock' ? (
                <>
                  <FigureCell>{number(point.unitsOnHand)}</FigureCell>
                  <FigureCell>{money(point.valueCents)}</FigureCell>
                </>
              ) : (
                <>
                  <FigureCell>{number(point.restocked)}</FigureCell>
                  <FigureCell>{number(point.delivered)}</FigureCell>
                  <FigureCell>{number(point.corrected)}</FigureCell>
                  <FigureCell>{number(point.other)}</FigureCell>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
