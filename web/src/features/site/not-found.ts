import { page } from '../../lazy/page.tsx';

export const NotFound = page({
  source: 'src/features/site/not-found-page.tsx',
  load: async () => (await import('./not-found-page.tsx')).NotFoundPage,
  title: 'title.notFound',
});
