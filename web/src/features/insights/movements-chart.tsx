import { parseDay } from '@perfume/domain/insights';
import { useWords } from '../../words/words.tsx';
import { Chart } from './chart.tsx';
import { Legend } from './chart-legend.tsx';
import { Bars, ChartPanel } from './chart-panel.tsx';
import { scaleOf } from './chart-scale.ts';
import { useFigureWords } from './figure-words.ts';
import type { Series } from './insights-query.ts';

/** A bar chart with restocks above the zero line and deliveries below it, so that it is readable without colour. */
export function MovementsChart({ series, label }: { series: Series; label: string }) {
  const { say, number } = useWords();
  const figures = useFigureWords();
  const { points, step } = series;
  const restocked = points.map((point) => point.restocked);
  const delivered = points.map((point) => point.delivered);
  const out = delivered.map((units) => -units);
  const scale = scaleOf([...restocked, ...out], { fromZero: true });
  const day = (index: number) => {
    const { from = '', to = '' } = points[index] ?? {};
    return figures.point(parseDay(from) ?? 0, parseDay(to) ?? 0, step);
  };
  return (
    <Chart
      kind="bars"
      label={label}
      count={points.length}
      title={day}
      speak={(index) =>
        say('movements.point', { day: day(index), restocked: restocked[index] ?? 0, delivered: delivered[index] ?? 0 })
      }
      tick={(index) => figures.tick(parseDay(points[index]?.from ?? '') ?? 0, step)}
    >
      {(index) => (
        <ChartPanel
          tall
          scale={scale}
          axis={(value, detail) => figures.short(Math.abs(value), detail)}
          head={
            <>
              <Legend name={say('movements.restocked')} value={number(restocked[index] ?? 0)} mark="up" tone="amber" />
              <Legend name={say('movements.delivered')} value={number(delivered[index] ?? 0)} mark="down" tone="plum" />
            </>
          }
        >
          <Bars values={restocked} scale={scale} tone="amber" />
          <Bars values={out} scale={scale} tone="plum" />
        </ChartPanel>
      )}
    </Chart>
  );
}
