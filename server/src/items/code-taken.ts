import { toWire } from '@perfume/contract/wire-item';
import { Problem } from '../http/problem.ts';
import type { CodeTaken } from './item-codes.ts';

/** The problem of a code that another item has. `parent` is where the fields are in the request, such as `changes.`. */
export function codeTaken({ taken, requestId }: CodeTaken, parent = ''): Problem {
  const { field, code, holder } = taken;
  return new Problem('code_taken', {
    item: toWire(holder),
    fields: { [`${parent}${field}`]: { code: 'code_taken', taken: code, name: holder.name } },
    ...(requestId && { requestId }),
  });
}
