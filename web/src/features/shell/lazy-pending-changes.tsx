import { lazyPart } from '../../lazy/lazy-part.tsx';

const load = async () => (await import('./pending-changes.tsx')).PendingChanges;

/** The list of changes that wait on this device. Its code is loaded as soon as one waits. */
export const LazyPendingChanges = lazyPart(load);

export function preloadPendingChanges(): void {
  void load().catch(() => {});
}
