import type { ProblemCode } from '@perfume/contract/problems';
import { parseUuid } from '@perfume/domain/uuid';
import { Problem } from './problem.ts';

/** Returns the id in a path. A text that is not a UUID gets the same response as an unknown id. */
export function idOf(params: { id: string }, notFound: ProblemCode): string {
  const id = parseUuid(params.id);
  if (id === null) throw new Problem(notFound);
  return id;
}
