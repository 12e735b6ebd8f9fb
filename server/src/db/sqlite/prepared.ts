import type { DatabaseSync, StatementSync } from 'node:sqlite';

const MAX_STATEMENTS = 500;

/** Returns a function that prepares each SQL text once. Parameters are written as in PostgreSQL: $1, $2 … */
export function preparedStatements(connection: DatabaseSync): (text: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known) return known;
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    const statement = connection.prepare(text.replace(/\$(\d+)/g, '?$1'));
    prepared.set(text, statement);
    return statement;
  };
}
