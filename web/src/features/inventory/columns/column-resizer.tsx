import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useWords } from '../../../words/words.tsx';
import styles from './column-resizer.module.css';
import {
  type Chosen,
  type Column,
  isFixed,
  MAX_WIDTH,
  MIN_WIDTH,
  minWidth,
  widthOf,
  widthVariables,
} from './columns.ts';

export type ResizeColumns = (chosen: readonly Chosen[]) => void;

type ResizerProps = { chosen: readonly Chosen[]; column: Column; label: string; onResize: ResizeColumns };

/** What is being resized. The table follows through CSS variables, so that nothing renders until the end. */
type Resizing = {
  table: HTMLTableElement;
  head: HTMLTableSectionElement;
  /** All columns, with the widths that they had on the screen. */
  chosen: Chosen[];
  /** The width of the column at the start, and now. */
  start: number;
  width: number;
  max: number;
  /** The width of the other columns that shrink, and how much they and this one can have together. */
  others: number;
  room: number;
  x: number;
  wasSized: boolean;
};

const STEP = 16;

/**
 * The handle of a column's width, at the edge on the side of the name: the name gets what the columns leave, so that is
 * the edge that moves. It can be dragged, moved with the arrow keys, and fits the content after a double click.
 */
export function ColumnResizer({ chosen, column, label, onResize }: ResizerProps) {
  const { say, dir } = useWords();
  const resizing = useRef<Resizing | null>(null);
  const isAfterName = indexOf(chosen, column) > indexOf(chosen, 'name');
  /** How much wider the column gets when the edge moves to the right by one. */
  const sign = (isAfterName ? -1 : 1) * (dir === 'rtl' ? -1 : 1);
  const own = chosen.find((one) => one.column === column);

  function begin(handle: HTMLElement, x = 0): Resizing | null {
    const [table, head] = [handle.closest('table'), handle.closest('thead')];
    if (!table || !head) return null;
    const start = headWidth(table, column);
    const shrinking = chosen.filter((one) => !isFixed(one) && one.column !== column);
    const others = shrinking.reduce((sum, one) => sum + headWidth(table, one.column), 0);
    const room = start + others + Math.max(0, headWidth(table, 'name') - minWidth('name'));
    const max = Math.min(MAX_WIDTH, Math.max(minWidth(column), room - MIN_WIDTH * shrinking.length));
    const wasSized = head.dataset.sized !== undefined;
    // Columns of the spec that nobody has resized depend on the window. From now on they have their present width.
    resizing.current = { table, head, chosen: onScreen(table), start, width: start, max, others, room, x, wasSized };
    return resizing.current;
  }

  function onScreen(table: HTMLTableElement): Chosen[] {
    return chosen.map((one) => ({
      ...one,
      width: one.column === 'name' ? null : clamp(headWidth(table, one.column), minWidth(one.column), MAX_WIDTH),
    }));
  }

  function resize(handle: HTMLElement, wanted: number): void {
    const now = resizing.current;
    if (!now) return;
    now.width = clamp(Math.round(wanted), minWidth(column), now.max);
    // The name shrinks first, then the other columns: this width has the wanted share of what there is.
    const isShared = own && !isFixed(own) && now.width + now.others > now.room;
    const width = isShared ? (now.width * now.others) / (now.room - now.width) : now.width;
    const widths = now.chosen.map((one) => (one.column === column ? { column, width } : one));
    now.head.dataset.sized = '';
    for (const [name, value] of Object.entries(widthVariables(widths))) now.head.style.setProperty(name, value);
    handle.ariaValueNow = String(now.width);
  }

  function end(): void {
    const now = resizing.current;
    resizing.current = null;
    if (!now) return;
    if (now.width !== now.start) onResize(onScreen(now.table));
    else if (!now.wasSized) delete now.head.dataset.sized;
  }

  function onPointerMove({ currentTarget, clientX, buttons }: PointerEvent<HTMLElement>): void {
    const now = resizing.current;
    if (!now || buttons === 0) return;
    resize(currentTarget, now.start + ((clientX - now.x) / fontScale()) * sign);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const handle = event.currentTarget;
    const steps: Record<string, number> = { ArrowRight: STEP * sign, ArrowLeft: -STEP * sign };
    const step = steps[event.key];
    const isEnd = event.key === 'Home' || event.key === 'End';
    if (step === undefined && !isEnd) return;
    event.preventDefault();
    const now = resizing.current ?? begin(handle);
    if (!now) return;
    if (step !== undefined) resize(handle, now.width + step);
    else resize(handle, event.key === 'Home' ? minWidth(column) : now.max);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> is not a handle that can be moved.
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={say('columns.width', { name: label })}
      aria-valuemin={minWidth(column)}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={own ? widthOf(own) : minWidth(column)}
      tabIndex={0}
      className={styles.resizer}
      data-side={isAfterName ? 'start' : 'end'}
      title={say('columns.resize')}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begin(event.currentTarget, event.clientX);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onFocus={({ currentTarget }) => {
        // The columns of the spec have the width that the window gives them.
        const table = currentTarget.closest('table');
        if (table) currentTarget.ariaValueNow = String(headWidth(table, column));
      }}
      onKeyDown={onKeyDown}
      onKeyUp={end}
      onBlur={end}
      onDoubleClick={({ currentTarget }) => {
        const now = begin(currentTarget);
        if (now) resize(currentTarget, contentWidth(now.table, column));
        end();
      }}
    />
  );
}

function indexOf(chosen: readonly Chosen[], column: Column): number {
  return chosen.findIndex((one) => one.column === column);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Measures how wide a column would be with all of its content. The browser lays the table out twice but paints it once. */
function contentWidth(table: HTMLTableElement, column: Column): number {
  table.dataset.fitting = '';
  const width = headWidth(table, column) + 1;
  delete table.dataset.fitting;
  return width;
}

/** The width of a column on the screen, in pixels at the usual font size. */
function headWidth(table: HTMLTableElement, column: Column): number {
  const width = table.querySelector(`th[data-column="${column}"]`)?.getBoundingClientRect().width ?? 0;
  return Math.round(width / fontScale());
}

function fontScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
