import { lazyPart } from '../../lazy/lazy-part.tsx';

/** Loaded after the item itself: it is below the fold. */
export const LazyItemHistory = lazyPart(async () => (await import('./item-history.tsx')).ItemHistory, {
  words: 'history',
});
