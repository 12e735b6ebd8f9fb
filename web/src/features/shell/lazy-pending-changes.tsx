import { lazyPart } from '../../lazy/lazy-part.tsx';

/** Loads the list of pending changes. It is loaded soon after the page, so that it is there when the connection is not. */
export const loadPendingChanges = async () => (await import('./pending-changes.tsx')).PendingChanges;

/** The list of changes that wait on this device. Whoever shows it has loaded it. */
export const LazyPendingChanges = lazyPart(loadPendingChanges, { as: 'extra' });
