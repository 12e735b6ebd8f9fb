import type { Series } from './insights-query.ts';
import { PointsTable } from './points-table.tsx';
import { StockChart } from './stock-chart.tsx';

/** Units and value over time, as a chart or as a table. */
export function StockSeries({ series, name, asTable }: { series: Series; name: string; asTable: boolean }) {
  if (asTable) return <PointsTable series={series} name={name} shows="stock" />;
  return <StockChart series={series} label={name} />;
}
