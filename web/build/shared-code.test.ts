import { expect, test } from 'vitest';
import { dashboardCode, publicCode } from './shared-code.ts';

const importers: Record<string, { importers: string[]; dynamicImporters: string[] }> = {
  '/src/ui/progress.tsx': { importers: ['/src/features/counts/count-page.tsx'], dynamicImporters: [] },
  '/src/ui/dialog.tsx': {
    importers: ['/src/features/counts/count-page.tsx', '/src/features/identity/question.tsx'],
    dynamicImporters: [],
  },
  '/src/ui/field.tsx': {
    importers: ['/src/features/counts/count-page.tsx', '/src/features/identity/login-page.tsx'],
    dynamicImporters: [],
  },
  '/src/ui/picture.tsx': { importers: ['/src/features/site/home-page.tsx'], dynamicImporters: [] },
  '/src/ui/button.tsx': {
    importers: ['/src/features/site/home-page.tsx', '/src/features/identity/login-page.tsx'],
    dynamicImporters: [],
  },
  '/src/features/identity/question.tsx': {
    importers: [],
    dynamicImporters: ['/src/features/identity/login-page.tsx'],
  },
  '/src/features/counts/count-page.tsx': { importers: [], dynamicImporters: ['/src/app/dashboard-pages.ts'] },
};
const modules = { getModuleInfo: (id: string) => importers[id] ?? null };

test.each([
  ['/src/ui/progress.tsx', 'dashboard', null],
  ['/src/ui/field.tsx', null, 'shared-accounts'],
  ['/src/ui/picture.tsx', null, 'shared-site'],
  ['/src/ui/button.tsx', null, 'shared'],
  ['/src/ui/dialog.tsx', null, 'shared-on-demand'],
])('of %s, visitors download only what their page needs', (id, dashboard, shared) => {
  expect([dashboardCode(id, modules), publicCode(id, modules)]).toEqual([dashboard, shared]);
});
