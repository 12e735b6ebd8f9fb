import { useMediaQuery } from '../../ui/media-query.ts';

export type ItemLayout = 'desktop' | 'phone';

/** Below 64rem, the breakpoint of the style sheets, four columns do not fit. */
export function useItemLayout(): ItemLayout {
  return useMediaQuery('(width < 64rem)') ? 'phone' : 'desktop';
}
