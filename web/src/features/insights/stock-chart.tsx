import { parseDay } from '@perfume/domain/insights';
import { useWords } from '../../words/words.tsx';
import { Chart } from './chart.tsx';
import { Legend } from './chart-legend.tsx';
import { ChartPanel, Dot, Line } from './chart-panel.tsx';
import { scaleOf } from './chart-scale.ts';
import { useFigureWords } from './figure-words.ts';
import type { Series } from './insights-query.ts';

/** A chart of units and value over time. They need two panels, because their scales differ. */
export function StockChart({ series, label }: { series: Series; label: string }) {
  const { say, number, money } = useWords();
  const figures = useFigureWords();
  const { points, step } = series;
  const units = points.map((point) => point.unitsOnHand);
  const values = points.map((point) => point.valueCents);
  const [unitScale, valueScale] = [units, values].map((each) => scaleOf(each, { fromZero: false }));
  if (!unitScale || !valueScale) return null;
  const day = (index: number) => {
    const to = parseDay(points[index]?.to ?? '') ?? 0;
    return figures.point(to, to, step);
  };
  return (
    <Chart
      kind="line"
      label={label}
      count={points.length}
      title={day}
      speak={(index) =>
        say('stockOverTime.point', { day: day(index), units: units[index] ?? 0, value: money(values[index] ?? 0) })
      }
      tick={(index) => figures.tick(parseDay(points[index]?.to ?? '') ?? 0, 'day')}
    >
      {(index) => (
        <>
          <ChartPanel
            scale={unitScale}
            axis={figures.short}
            head={
              <Legend name={say('stockOverTime.units')} value={number(units[index] ?? 0)} mark="line" tone="plum" />
            }
          >
            <Line values={units} scale={unitScale} tone="plum" />
            <Dot index={index} values={units} scale={unitScale} tone="plum" />
          </ChartPanel>
          <ChartPanel
            scale={valueScale}
            axis={figures.shortMoney}
            head={
              <Legend name={say('stockOverTime.value')} value={money(values[index] ?? 0)} mark="line" tone="amber" />
            }
          >
            <Line values={values} scale={valueScale} tone="amber" />
            <Dot index={index} values={values} scale={valueScale} tone="amber" />
          </ChartPanel>
        </>
      )}
    </Chart>
  );
}
