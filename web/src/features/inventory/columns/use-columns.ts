import { useCallback, useMemo } from 'react';
import { readPreference, savePreference } from '../../../ui/preference.ts';
import { useSearchParams } from '../../../ui/router.tsx';
import { createStore } from '../../../ui/store.ts';
import type { ListScope } from '../list-filters.ts';
import { type Chosen, columnsText, defaultColumns, parseColumns } from './columns.ts';

const preferenceOf = (scope: ListScope) => `columns-${scope}`;

const changes = createStore(0);

/**
 * The columns of a list: those in the address, which a saved view has too, or else those that were last chosen on this
 * device. `isDefault` says that they are those of the spec. `onAddress` puts a choice into the address.
 */
export function useColumns(scope: ListScope, onAddress: (columns: string | null) => void) {
  const [search] = useSearchParams();
  changes.use();
  const inAddress = search.get('columns');
  const text = parseColumns(inAddress) ? inAddress : remembered(scope);
  const chosen = useMemo(() => parseColumns(text) ?? defaultColumns.map((column) => ({ column, width: null })), [text]);
  // The same array while only widths change, so that no row renders again.
  const names = chosen.map(({ column }) => column).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const columns = useMemo(() => chosen.map(({ column }) => column), [names]);
  const choose = useCallback(
    (next: readonly Chosen[]) => {
      const wanted = columnsText(next);
      // A cookie must not contain commas.
      savePreference(preferenceOf(scope), encodeURIComponent(wanted ?? ''));
      changes.set(changes.get() + 1);
      onAddress(wanted);
    },
    [scope, onAddress],
  );
  return { chosen, columns, isDefault: columnsText(chosen) === null, choose };
}

function remembered(scope: ListScope): string {
  return (readPreference(preferenceOf(scope)) ?? '').replaceAll('%2C', ',').replaceAll('%3A', ':');
}
