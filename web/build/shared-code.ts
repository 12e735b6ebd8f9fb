import type { Rollup } from 'vite';

type Modules = { getModuleInfo(id: string): Pick<Rollup.ModuleInfo, 'importers' | 'dynamicImporters'> | null };

// Many small files load slower than a few larger ones. What pages share is in three files, so that visitors download
// nothing of the dashboard, and no dialog before they open one.

/** Names the file for code that only pages of the dashboard share. */
export function dashboardCode(id: string, modules: Modules): string | null {
  return isNeeded(id, modules, everyImporter) ? null : 'dashboard';
}

/** Names the file for code that public pages share, with one another or with the dashboard. */
export function publicCode(id: string, modules: Modules): string | null {
  if (!isNeeded(id, modules, everyImporter)) return null;
  return isNeeded(id, modules, staticImporters) ? 'shared' : 'shared-on-demand';
}

const PUBLIC_PAGE = /\/src\/(?:app\/site-layout|features\/(?:houses|identity|site)\/(?!styleguide)[\w-]+-page)\.tsx$/;

type Importers = (info: Pick<Rollup.ModuleInfo, 'importers' | 'dynamicImporters'>) => readonly string[];
const staticImporters: Importers = ({ importers }) => importers;
const everyImporter: Importers = ({ importers, dynamicImporters }) => [...importers, ...dynamicImporters];

/** Whether the module is a public page, or one imports it at any distance. */
function isNeeded(id: string, modules: Modules, importersOf: Importers, seen = new Set<string>()): boolean {
  if (PUBLIC_PAGE.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const info = modules.getModuleInfo(id);
  return info !== null && importersOf(info).some((importer) => isNeeded(importer, modules, importersOf, seen));
}
