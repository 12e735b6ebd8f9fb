import { pathOf } from '@perfume/contract/pages';
import { page } from '../../parts/page.tsx';

export const pages = [
  page({
    path: pathOf.settings,
    source: 'src/features/settings/settings-page.tsx',
    load: async () => (await import('./settings-page.tsx')).SettingsPage,
    words: 'settings',
    title: 'title.settings',
  }),
];
