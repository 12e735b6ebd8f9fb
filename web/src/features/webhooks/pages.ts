import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.webhooks,
    source: 'src/features/webhooks/webhooks-page.tsx',
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
    words: 'webhooks',
    title: 'title.webhooks',
  }),
];
