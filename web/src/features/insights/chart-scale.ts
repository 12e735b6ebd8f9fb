export type Scale = { min: number; max: number; ticks: number[] };

/**
 * Returns the range of a chart and its round tick values. The range starts at zero, unless `fromZero` is false and the
 * values vary so little that the line would look flat. It then starts near the lowest value.
 */
export function scaleOf(values: readonly number[], { fromZero }: { fromZero: boolean }): Scale {
  const most = Math.max(...values, 0);
  const least = Math.min(...values, most);
  const zero = fromZero || least < most * 0.6;
  const low = zero ? Math.min(0, least) : least;
  if (most === low) return { min: low, max: low + 1, ticks: [low] };
  const step = roundStep((most - low) / TICKS);
  const room = zero ? 0 : (most - low) * 0.15;
  const [min, max] = [low - room, most + room];
  const first = Math.ceil(min / step);
  const ticks = Array.from({ length: Math.floor(max / step) - first + 1 }, (_, n) => (first + n) * step);
  return { min, max, ticks };
}

const TICKS = 4;

/** Rounds a step up to 1, 2 or 5 times a power of ten. It is at least 1, because units and cents have no fractions. */
function roundStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= about) ?? about;
  return Math.max(1, step);
}

/** The levels of detail of a tick label: 2.2K, 2.25K or 2,247. */
export const details = [0, 1, 2] as const;
export type Detail = (typeof details)[number];

/** Returns the shortest tick labels that differ from each other. Only an amount and its negative may share a label. */
export function tickLabels(ticks: readonly number[], write: (value: number, detail: Detail) => string): string[] {
  const amounts = new Set(ticks.map(Math.abs)).size;
  const labels = details.map((detail) => ticks.map((tick) => write(tick, detail)));
  return labels.find((each) => new Set(each).size >= amounts) ?? labels.at(-1) ?? [];
}

/** Returns the height of a value in the chart, from 0 (bottom) to 1 (top). */
export function heightOf(value: number, { min, max }: Scale): number {
  return (value - min) / (max - min);
}

/** Returns the points that get a label: the first, the last and some between, evenly spaced if possible. */
export function namedPoints(count: number): number[] {
  const names = [5, 4, 6, 7, 3].find((many) => (count - 1) % (many - 1) === 0) ?? 5;
  if (count <= Math.min(names, 4)) return Array.from({ length: count }, (_, n) => n);
  return Array.from({ length: names }, (_, n) => Math.round((n * (count - 1)) / (names - 1)));
}

/** Returns the horizontal position of a point, 0 to 1. Lines span edge to edge; bars are centred in their slots. */
export function placeOf(index: number, count: number, kind: 'line' | 'bars'): number {
  if (kind === 'bars') return (index + 0.5) / count;
  return count === 1 ? 0.5 : index / (count - 1);
}

/** Returns the index of the point nearest to a horizontal position. */
export function pointAt(place: number, count: number, kind: 'line' | 'bars'): number {
  const index = kind === 'bars' ? Math.floor(place * count) : Math.round(place * (count - 1));
  return Math.min(count - 1, Math.max(0, index));
}
