import type { SortOrder } from '@perfume/domain/list-filters';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem } from '../../api/client.ts';
import { useJob } from '../../live/bulk-job.ts';
import { ExportMenu } from '../../live/export-menu.tsx';
import type { ListFilters } from '../../live/item-cache.ts';
import { useMay } from '../../live/may.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useMediaQuery } from '../../ui/media-query.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useStartPosition } from '../../ui/windowed-table/scroll-position.ts';
import { useNarrow } from '../../ui/windowed-table/use-narrow.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { useDeleteWithUndo } from '../items/delete-with-undo.tsx';
import { TimeMachine } from '../time-machine/time-machine.tsx';
import { TimeMachineButton } from '../time-machine/time-machine-button.tsx';
import { useTimeMachine } from '../time-machine/use-time-machine.ts';
import { SaveView } from '../views/save-view.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnsButton } from './columns/columns-button.tsx';
import { useColumns } from './columns/use-columns.ts';
import styles from './inventory-list.module.css';
import { useInventoryRows } from './inventory-rows.ts';
import { InventoryTable } from './inventory-table.tsx';
import { InventoryToolbar } from './inventory-toolbar.tsx';
import { type ListScope, scrollKey, useListFilters } from './list-filters.ts';
import { selectionName } from './selection-store.ts';
import { useRowSelection } from './use-row-selection.ts';

type ListProps = {
  scope: ListScope;
  heading: string;
  search?: (props: { q: string; onSearch: (q: string) => void; onDown: () => void }) => ReactNode;
  create?: ReactNode;
  /** Shown at the end of the heading's row. */
  aside?: ReactNode;
  /** Shown when the list has no items at all. */
  empty: ReactNode;
};

/** The list of items on the pages Manage Inventory and My Items. */
export function InventoryList({ scope, heading, search, create, aside, empty }: ListProps) {
  const words = useWords();
  const { say } = words;
  const id = useId();
  const page = useRef<HTMLElement>(null);
  const narrow = useNarrow(page, WIDE_REM);
  const isPhone = useMediaQuery('(max-width: 639px)');
  const { filters, choose, type, setInstant, setColumns } = useListFilters(scope);
  const { chosen, columns, isDefault, choose: chooseColumns } = useColumns(scope, setColumns);
  const { user } = useBoot();
  const may = useMay();
  const machine = useTimeMachine(filters.at, setInstant);
  const start = useStartPosition(scrollKey(filters), { resume: true });
  const { rows, waiting, problem, retry, onRowsInView } = useInventoryRows(filters, start);
  const name = selectionName(scope, user?.id ?? '');
  const {
    selection,
    count: selectedCount,
    selectedState,
    selectRow,
    selectAll,
    clear,
  } = useRowSelection(name, filters, rows);
  // True also while today's rows are loading, because the rows of the past are still on screen.
  const past = filters.at !== undefined || rows?.filters.at !== undefined;
  const count = past ? 0 : selectedCount;
  const sortBy = useCallback((sort: SortOrder) => choose({ sort }), [choose]);
  const [wantsBoxes, setWantsBoxes] = useState(false);
  const { confirmDelete, dialog } = useDeleteWithUndo();
  const selecting = wantsBoxes || count > 0;
  const working = useJob() !== null;
  const hasBar = count > 0 || working;
  const hadBar = useRef(hasBar);
  useEffect(() => {
    // If the bulk action bar had the focus when it disappeared, the focus moves to the page.
    const lost = hadBar.current && !hasBar && document.activeElement === document.body;
    if (lost) page.current?.focus({ preventScroll: true });
    hadBar.current = hasBar;
  }, [hasBar]);

  const focusFirstRow = () => page.current?.querySelector<HTMLElement>('[data-row] a')?.focus();

  return (
    <section
      ref={page}
      className={styles.page}
      aria-labelledby={id}
      data-narrow={narrow || undefined}
      data-bar={hasBar || undefined}
      data-past={past || undefined}
      tabIndex={-1}
    >
      <header className={styles.head}>
        <div className={styles.title}>
          <h1 id={id} className={styles.heading}>
            {heading}
          </h1>
          <p role="status" className={styles.count}>
            {rows &&
              (rows.filters.q === ''
                ? say('inventory.count', { count: rows.total })
                : say('inventory.results', { count: rows.total, q: rows.filters.q }))}
          </p>
        </div>
        {aside}
        {scope === 'all' && <TimeMachineButton {...machine.button} />}
      </header>
      <div className={styles.tools}>
        {search?.({ q: filters.q, onSearch: type, onDown: focusFirstRow })}
        <InventoryToolbar filters={filters} onChoose={choose} />
        <div className={styles.more}>
          <SaveView
            page={scope === 'all' ? 'manageInventory' : 'myItems'}
            suggestion={nameOf(filters, heading, words)}
            // They may be those of this device.
            onNew={() => !isDefault && chooseColumns(chosen)}
          />
          {may('changeItems') && (
            <ExportMenu
              key={JSON.stringify(filters)}
              name={heading}
              iconOnly
              path="/exports/items"
              query={exportParams(filters, scope, user?.email ?? '')}
            />
          )}
          <ColumnsButton chosen={chosen} onChoose={chooseColumns} />
          {narrow && !past && (
            <Button
              look="plain"
              aria-pressed={selecting}
              onClick={() => {
                setWantsBoxes(!selecting);
                if (selecting) clear();
              }}
            >
              {selecting ? say('inventory.endSelect') : say('inventory.select')}
            </Button>
          )}
        </div>
        {!isPhone && create}
      </div>
      <div className={styles.foot}>
        {isPhone && create}
        {(!past || working) && (
          <BulkBar bulkSelection={{ selection, filters, name }} total={rows?.total ?? 0} onClear={clear} />
        )}
      </div>
      {machine.open && narrow !== null && (
        <TimeMachine
          {...machine.panel}
          at={filters.at}
          narrow={narrow}
          count={rows && !waiting ? rows.total : null}
          byToday={filters.q !== '' || /name|price/.test(filters.sort)}
          setInstant={setInstant}
        />
      )}
      {problem !== null && (rows === null || waiting) ? (
        <EmptyState text={say('inventory.failed')} alert>
          <p>{say(reasonOf(problem))}</p>
          <Button onClick={retry}>{say('retry')}</Button>
        </EmptyState>
      ) : rows === null || narrow === null ? (
        <div className={styles.waiting}>
          <Spinner large label={say('Loading...')} />
        </div>
      ) : rows.total === 0 ? (
        <Nothing
          q={rows.filters.q}
          filtered={rows.filters.stock !== null}
          empty={past ? <EmptyState text={say('timeMachine.empty')} /> : empty}
        >
          <Button onClick={() => choose({ q: '', stock: null })}>{say('inventory.clearSearch')}</Button>
        </Nothing>
      ) : (
        <>
          <InventoryTable
            labelledBy={id}
            rows={rows}
            waiting={waiting}
            onRowsInView={onRowsInView}
            start={start}
            narrow={narrow}
            selecting={selecting}
            past={past}
            columns={columns}
            isDefault={isDefault}
            chosen={chosen}
            onResize={chooseColumns}
            selection={selection}
            selectedState={selectedState}
            onSelectRow={selectRow}
            onSelectAll={selectAll}
            onSort={sortBy}
            onDelete={confirmDelete}
          />
          {problem !== null && (
            <div role="alert" className={styles.notice}>
              <p>{say('inventory.partFailed')}</p>
              <Button size="s" onClick={retry}>
                {say('retry')}
              </Button>
            </div>
          )}
        </>
      )}
      {dialog}
    </section>
  );
}

type NothingProps = { q: string; filtered: boolean; empty: ReactNode; children: ReactNode };

function Nothing({ q, filtered, empty, children }: NothingProps) {
  const { say } = useWords();
  if (q === '' && !filtered) return empty;
  const text = q === '' ? say('inventory.nothingInFilter') : say('inventory.nothingFound', { q });
  return <EmptyState text={text}>{children}</EmptyState>;
}

/** Returns a name for the filters, such as “Low stock · oud”. */
function nameOf({ stock, q }: ListFilters, heading: string, { say }: Words): string {
  return [stock && say(`inventory.stock.${stock}`), q].filter(Boolean).join(' · ') || heading;
}

/** The rows that the list shows, in its order, as the export asks for them. */
function exportParams({ q, sort, stock, at }: ListFilters, scope: ListScope, email: string): Record<string, string> {
  return {
    sort,
    ...(q !== '' && { q }),
    ...(stock !== null && { stock }),
    ...(at !== undefined && { at }),
    ...(scope === 'mine' && { email }),
  };
}

function reasonOf(problem: unknown): 'inventory.why.offline' | 'inventory.why.busy' | 'inventory.why.unknown' {
  if (problem instanceof ApiProblem && problem.code === 'offline') return 'inventory.why.offline';
  if (problem instanceof ApiProblem && problem.status === 503) return 'inventory.why.busy';
  return 'inventory.why.unknown';
}

const WIDE_REM = 42;
