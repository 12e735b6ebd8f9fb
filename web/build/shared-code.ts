import type { Rollup } from 'vite';

type Importing = Pick<Rollup.ModuleInfo, 'importers' | 'dynamicImporters'>;
type Modules = { getModuleInfo(id: string): Importing | null };

// Many small files load slower than a few larger ones. What pages share is in a few files, so that visitors download
// nothing of the dashboard, nothing of the login on the home page, and no dialog before they open one.

/** Names the file for code that only pages of the dashboard share. */
export function dashboardCode(id: string, modules: Modules): string | null {
  return isNeeded(PUBLIC_PAGE, id, modules, everyImporter) ? null : 'dashboard';
}

/** Names the file for code that public pages share, with one another or with the dashboard. */
export function publicCode(id: string, modules: Modules): string | null {
  if (!isNeeded(PUBLIC_PAGE, id, modules, everyImporter)) return null;
  const isForSite = isNeeded(SITE_PAGE, id, modules, staticImporters);
  const isForAccounts = isNeeded(ACCOUNT_PAGE, id, modules, staticImporters);
  if (isForSite && isForAccounts) return 'shared';
  return isForSite ? 'shared-site' : isForAccounts ? 'shared-accounts' : 'shared-on-demand';
}

const SITE_PAGE = /\/src\/(?:app\/site-layout|features\/site\/(?!styleguide)[\w-]+-page)\.tsx$/;
const ACCOUNT_PAGE = /\/src\/(?:app\/site-layout|features\/(?:houses|identity)\/[\w-]+-page)\.tsx$/;
const PUBLIC_PAGE = new RegExp(`${SITE_PAGE.source}|${ACCOUNT_PAGE.source}`);

type Importers = (info: Importing) => readonly string[];
const staticImporters: Importers = ({ importers }) => importers;
const everyImporter: Importers = ({ importers, dynamicImporters }) => [...importers, ...dynamicImporters];

/** Whether the module is such a page, or one imports it at any distance. */
function isNeeded(
  page: RegExp,
  id: string,
  modules: Modules,
  importersOf: Importers,
  seen = new Set<string>(),
): boolean {
  if (page.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const info = modules.getModuleInfo(id);
  return info !== null && importersOf(info).some((importer) => isNeeded(page, importer, modules, importersOf, seen));
}
