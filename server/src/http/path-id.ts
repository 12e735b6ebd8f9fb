import type { ProblemCode } from '@perfume/contract/problems';
import { parseUuid } from '@perfume/domain/uuid';
import { Problem } from './problem.ts';

/** The id in a path. A text that is no UUID cannot exist, so it is answered like an unknown id. */
export function idOf(params: { id: string }, notFound: ProblemCode): string {
  const id = parseUuid(params.id);
  if (id === null) throw new Problem(notFound);
  return id;
}
