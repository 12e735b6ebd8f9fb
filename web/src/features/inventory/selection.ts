import type { Item } from '@perfume/domain/items';

/**
 * The selected rows. `some` lists their ids and survives a change of the search. `all` stands for everything that one
 * search matched when the user selected all, without listing ids; it applies only to that search.
 */
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | AllMatching;

export type AllMatching = {
  kind: 'all';
  /** The search that the selection belongs to: see `matchKey`. */
  match: string;
  count: number;
  /** Items created later than this are not selected, except those selected one by one, which are in `also`. */
  upTo: number;
  except: ReadonlySet<string>;
  also: ReadonlySet<string>;
};

export type Row = Pick<Item, 'id' | 'createdAt'>;

export const nothing: Selection = { kind: 'some', ids: new Set() };

/** Returns the selection that applies to the search `match`. */
export function selectionFor(match: string, selection: Selection): Selection {
  return selection.kind === 'all' && selection.match !== match ? nothing : selection;
}

export function isSelected(selection: Selection, { id, createdAt }: Row): boolean {
  if (selection.kind === 'some') return selection.ids.has(id);
  return createdAt <= selection.upTo ? !selection.except.has(id) : selection.also.has(id);
}

export function countSelected(selection: Selection): number {
  if (selection.kind === 'some') return selection.ids.size;
  return Math.max(0, selection.count - selection.except.size + selection.also.size);
}

/** Selects or deselects rows. */
export function select(selection: Selection, rows: readonly Row[], on: boolean): Selection {
  if (selection.kind === 'some') {
    return { kind: 'some', ids: changed(selection.ids, rows, on) };
  }
  const { upTo, except, also } = selection;
  return {
    ...selection,
    except: changed(
      except,
      rows.filter(({ createdAt }) => createdAt <= upTo),
      !on,
    ),
    also: changed(
      also,
      rows.filter(({ createdAt }) => createdAt > upTo),
      on,
    ),
  };
}

/** Deselects rows that were deleted, or that a bulk action is done with. `all` stays as it is. */
export function forget(selection: Selection, ids: Iterable<string>): Selection {
  if (selection.kind === 'all') return selection;
  const left = new Set(selection.ids);
  let some = false;
  for (const id of ids) some = left.delete(id) || some;
  return some ? { kind: 'some', ids: left } : selection;
}

function changed(ids: ReadonlySet<string>, rows: readonly Row[], on: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const { id } of rows) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** Converts a selection to text for the session storage. */
export function serializeSelection(selection: Selection): string {
  return JSON.stringify(selection, (_, value: unknown) => (value instanceof Set ? [...value] : value));
}

export function parseSelection(text: string | null): Selection {
  try {
    const stored = JSON.parse(text ?? '');
    if (stored.kind === 'some') return { ...stored, ids: new Set(stored.ids) };
    return { ...stored, except: new Set(stored.except), also: new Set(stored.also) };
  } catch {
    return nothing;
  }
}
