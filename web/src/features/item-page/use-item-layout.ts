import { useMediaQuery } from '../../ui/media-query.ts';

export type ItemLayout = 'desktop' | 'phone';

/**
 * Chooses the layout of the item page. Below 64rem, a breakpoint also used in the style sheets, four columns do not
 * fit.
 */
export function useItemLayout(): ItemLayout {
  return useMediaQuery('(width < 64rem)') ? 'phone' : 'desktop';
}
