import { withWords } from '../../words/with-words.tsx';

/** The item's history, fetched after the item itself: it stands below the fold. */
export const HistoryOfItem = withWords('history', async () => (await import('./item-history.tsx')).ItemHistory);
