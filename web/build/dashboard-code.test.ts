import { expect, test } from 'vitest';
import { dashboardCode } from './dashboard-code.ts';

test('code that a public page can load, now or later, is in no file of the dashboard', () => {
  const importers: Record<string, { importers: string[]; dynamicImporters: string[] }> = {
    '/src/ui/progress.tsx': { importers: ['/src/features/counts/count-page.tsx'], dynamicImporters: [] },
    '/src/ui/field.tsx': {
      importers: ['/src/features/counts/count-page.tsx', '/src/features/identity/login-form.tsx'],
      dynamicImporters: [],
    },
    '/src/features/identity/login-form.tsx': {
      importers: [],
      dynamicImporters: ['/src/features/identity/login-page.tsx'],
    },
    '/src/features/counts/count-page.tsx': { importers: [], dynamicImporters: ['/src/app/dashboard-pages.ts'] },
  };
  const modules = { getModuleInfo: (id: string) => importers[id] ?? null };
  expect(dashboardCode('/src/ui/progress.tsx', modules)).toBe('dashboard');
  expect(dashboardCode('/src/ui/field.tsx', modules)).toBeNull();
});
