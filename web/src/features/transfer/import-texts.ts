import type { WireImportProblem } from '@perfume/contract/transfer';
import { ApiProblem } from '../../api/client.ts';
import { fieldErrorText } from '../../live/field-error-text.ts';
import { problemText } from '../../live/problem-text.ts';
import type { Words } from '../../words/words.tsx';
import type { WireImport } from './imports-query.ts';

const fileErrors = {
  not_a_table: 'import.wrong.not_a_table',
  table_empty: 'import.wrong.table_empty',
  table_too_long: 'import.wrong.table_too_long',
  table_too_wide: 'import.wrong.table_too_wide',
  table_too_large: 'import.wrong.table_too_large',
} as const;

/** Why a file was not read. */
export function fileErrorText(problem: unknown, words: Words): string {
  const code = problem instanceof ApiProblem ? problem.fieldCodes.file : undefined;
  if (code !== undefined && code in fileErrors) return words.say(fileErrors[code as keyof typeof fileErrors]);
  if (problem instanceof ApiProblem && problem.code === 'too_large') return words.say('import.tooLarge');
  return problemText(problem, words);
}

/** Why a row is left out. */
export function rowErrorText({ error, message }: WireImportProblem, words: Words): string {
  const { say } = words;
  if (error.code === 'same_as_row') return say('import.wrong.same_as_row', { row: Number(error.row) });
  if (error.code === 'rounded_number') return say('import.wrong.rounded_number');
  if (error.code === 'not_a_uuid') return say('import.wrong.not_a_uuid');
  const text = fieldErrorText(error.code, words, {
    max: Number(error.max ?? 0),
    code: String(error.taken ?? error.digits ?? ''),
    digit: String(error.expected ?? ''),
    name: String(error.name ?? ''),
  });
  return text === error.code ? message : text;
}

/** How a file was read: its encoding and what separates its cells. */
export function fileFacts({ encoding, delimiter, of }: WireImport, { say }: Words): string[] {
  const separated =
    delimiter === '\t'
      ? say('import.separatedBy.tab')
      : delimiter !== null && say('import.separatedBy', { mark: `“${delimiter}”` });
  return [say('import.rows', { count: of }), encoding.toUpperCase(), separated].filter((fact) => fact !== false);
}

/** What an import is doing, or what it has done. */
export function stateText(one: Pick<WireImport, 'state' | 'done'>, { say }: Words): string {
  return say(`import.state.${one.state === 'ready' && one.done > 0 ? 'stopped' : one.state}`);
}
