import { toWireChange, type WireEntry } from '@perfume/contract/history';
import { toWireActor } from '@perfume/contract/identity';
import type { Entry } from './history.store.ts';

export function toWireEntry(entry: Entry): WireEntry {
  const { house: _, actorId, actorName, at, changes, ...rest } = entry;
  return {
    ...rest,
    changes: changes.map(toWireChange),
    by: toWireActor(actorId, actorName),
    at: new Date(at).toISOString(),
  };
}
