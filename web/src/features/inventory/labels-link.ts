import { parseUuid } from '@perfume/domain/uuid';
import { paths } from '../../paths.ts';

/** More ids than this make too long an address; they are kept in the browser's history instead. */
const MAX_IN_ADDRESS = 50;

type LabelsLink = { to: string; state: { ids: readonly string[] } | null };

/** Where the labels of these items are printed. */
export function labelsLink(ids: readonly string[]): LabelsLink {
  if (ids.length > MAX_IN_ADDRESS) return { to: paths.labels, state: { ids } };
  return { to: ids.length === 0 ? paths.labels : `${paths.labels}?ids=${ids.join(',')}`, state: null };
}

/** Reads the items of such a link. Anything else in it is ignored. */
export function readLabelsLink(search: string, state: unknown): string[] {
  const { ids: stored } = (state ?? {}) as { ids?: unknown };
  const ids = Array.isArray(stored) ? stored.map(String) : (new URLSearchParams(search).get('ids') ?? '').split(',');
  return [...new Set(ids.map(parseUuid).filter((id) => id !== null))];
}
