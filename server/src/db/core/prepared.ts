import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_STATEMENTS = 500;

/** Returns a function that prepares each SQL text once. Parameters are written as in PostgreSQL: $1, $2 … */
export function preparedStatements(connection: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known) return known;
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    const statement = connection.prepare(text.replace(PARAMETER, '?$1'));
    prepared.set(text, statement);
    return statement;
  };
}

const PARAMETER = /\$(\d+)/g;

/** The numbers of the parameters in a text. */
export function numbersIn(text: string): number[] {
  return [...text.matchAll(PARAMETER)].map(([, number]) => Number(number));
}

/** Returns a function that runs SQL. It may be given more parameters than are in the text. `bigints`: integers are read as such. */
export function runner(connection: DatabaseSync, { bigints = false } = {}) {
  const prepare = preparedStatements(connection);
  return <Row>(text: string, params: readonly unknown[] = []): Row[] => {
    const statement = prepare(text);
    statement.setReadBigInts(bigints);
    // It accepts parameters up to the highest number in it.
    const count = Math.max(0, ...numbersIn(text));
    return statement.all(...(params.slice(0, count) as never[])) as Row[];
  };
}
