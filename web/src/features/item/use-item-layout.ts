import { useMediaQuery } from '../../ui/media-query.ts';

export type ItemLayout = 'desktop' | 'phone';

/** Which of the two forms of the item's table is shown: below 64rem, the style sheets' width, four columns do not fit. */
export function useItemLayout(): ItemLayout {
  return useMediaQuery('(width < 64rem)') ? 'phone' : 'desktop';
}
