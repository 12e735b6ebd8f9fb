import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.settings,
    source: 'src/features/settings/settings-page.tsx',
    load: async () => (await import('./settings-page.tsx')).SettingsPage,
    words: 'settings',
    title: 'title.settings',
  }),
];
