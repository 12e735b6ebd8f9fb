import type { FieldError } from '@perfume/domain/field-errors';
import type { ImportField, RowValues } from '@perfume/domain/imports';
import { keysOf } from './plan-rows.ts';

/** Five for each row of the longest file. Each takes about 150 bytes of the server's memory. */
const MARKS_MAX = 1_000_000;

/**
 * Finds rows with an id or code that an earlier row of the file has. Of a file with too many ids and codes to remember, the
 * rows after the first `max` of them are refused.
 */
export function repeatFinder(max = MARKS_MAX) {
  const firstRows = new Map<string, number>();
  return (values: RowValues, row: number): { field: ImportField; error: FieldError } | null => {
    const keys = keysOf(values);
    const marks = values.id === undefined ? keys : [...keys, values.id];
    const first = marks.map((mark) => firstRows.get(mark)).find((known) => known !== undefined);
    const field = values.sku !== undefined ? 'sku' : values.barcodes ? 'barcodes' : 'id';
    if (first !== undefined) return { field, error: { code: 'same_as_row', row: first } };
    if (firstRows.size + marks.length > max) return { field, error: { code: 'table_too_large' } };
    for (const mark of marks) firstRows.set(mark, row);
    return null;
  };
}
