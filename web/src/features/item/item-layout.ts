import { useMediaQuery } from '../../ui/media-query.ts';

export type Layout = 'desktop' | 'phone';

/** Which of the two forms of the item's table is shown: below 64rem, the style sheets' width, four columns do not fit. */
export function useLayout(): Layout {
  return useMediaQuery('(width < 64rem)') ? 'phone' : 'desktop';
}
