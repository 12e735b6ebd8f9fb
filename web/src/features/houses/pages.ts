import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.invitation,
    source: 'src/features/houses/invitation-page.tsx',
    load: async () => (await import('./invitation-page.tsx')).InvitationPage,
    words: ['identity', 'houses'],
    title: 'title.invitation',
  }),
];
