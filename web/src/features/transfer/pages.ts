import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.imports,
    source: 'src/features/transfer/imports-page.tsx',
    load: async () => (await import('./imports-page.tsx')).ImportsPage,
    words: ['transfer'],
    title: 'title.import',
  }),
  page({
    path: pathOf.importFile,
    source: 'src/features/transfer/import-page.tsx',
    load: async () => (await import('./import-page.tsx')).ImportPage,
    words: ['transfer', 'item-form', 'history'],
    title: 'title.import',
  }),
];
