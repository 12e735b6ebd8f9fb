import { lazyPart } from '../../parts/lazy-part.tsx';

/** The item's history, fetched after the item itself: it stands below the fold. */
export const LazyItemHistory = lazyPart(async () => (await import('./item-history.tsx')).ItemHistory, {
  words: 'history',
});
