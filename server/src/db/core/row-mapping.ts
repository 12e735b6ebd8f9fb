/** For every field of `Value`, a column of `Row` whose type fits. A list is stored as JSON text. */
export type ColumnOf<Value, Row> = {
  [Field in keyof Value]: {
    [Column in keyof Row]: Row[Column] extends Stored<Value[Field]> ? Column : never;
  }[keyof Row];
};
type Stored<Type> = Type extends readonly unknown[] ? string : Type;

/**
 * Maps the fields of a value to the columns of a row. Reading a row, writing one and the JSON that PostgreSQL builds
 * all use this mapping, so none of them can miss a column. `lists` names the fields that are lists.
 */
export function rowMapping<Value extends object, Row, Columns extends ColumnOf<Value, Row>>(
  columnOf: Columns,
  lists: readonly (keyof Value & string)[] = [],
) {
  const fields = Object.keys(columnOf) as (keyof Value & string)[];
  return {
    fromRow(row: Pick<Row, Columns[keyof Value]>): Value {
      const value: Record<string, unknown> = {};
      for (const field of fields) value[field] = row[columnOf[field]];
      for (const field of lists) value[field] = JSON.parse(value[field] as string);
      return value as Value;
    },
    toRow<Field extends keyof Value>(value: Pick<Value, Field>, only: readonly Field[]) {
      const columns = only.map((field) => [columnOf[field], toColumn(value[field])]);
      return Object.fromEntries(columns) as Pick<Row, Columns[Field]>;
    },
    /** Returns a PostgreSQL expression that builds the value as JSON from the row `alias`. */
    json(alias: string): string {
      const pairs = fields.map(
        (field) => `'${field}', ${alias}.${String(columnOf[field])}${lists.includes(field) ? '::json' : ''}`,
      );
      return `json_build_object(${pairs.join(', ')})`;
    },
  };
}

function toColumn(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}
