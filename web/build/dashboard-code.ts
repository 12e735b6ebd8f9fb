import type { Rollup } from 'vite';

type Modules = { getModuleInfo(id: string): Pick<Rollup.ModuleInfo, 'importers' | 'dynamicImporters'> | null };

/**
 * Names the file for code that pages of the dashboard share. What a public page can load is left out, so visitors
 * download nothing of the dashboard.
 */
export function dashboardCode(id: string, modules: Modules): string | null {
  return leadsTo(PUBLIC, id, modules) ? null : 'dashboard';
}

const PUBLIC = /\/src\/(?:app\/site-layout|features\/(?:houses|identity|site)\/(?!styleguide)[\w-]+-page)\.tsx$/;

/** Whether the module, or one that imports it at any distance, matches. */
function leadsTo(wanted: RegExp, id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (wanted.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const info = modules.getModuleInfo(id);
  return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])].some((importer) =>
    leadsTo(wanted, importer, modules, seen),
  );
}
