import { lazyPart } from '../../lazy/lazy-part.tsx';

/** The history of an item. It is below the fold, so its code is loaded after the item. */
export const LazyItemHistory = lazyPart(async () => (await import('./item-history.tsx')).ItemHistory, {
  words: 'history',
});
