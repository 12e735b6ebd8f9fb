/**
 * Runs a dynamic `import()` once every file it needs has arrived. The build calls this function in place of Vite's own
 * helper (build/import-parts.ts). After a failed `import()` or `modulepreload`, browsers do not request that module
 * again until the page is reloaded, nor anything that depends on it. A failed `fetch` can simply be repeated, and the
 * `import()` after it is answered from the browser's cache.
 */
export async function importPart<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const urls = files.map((file) => new URL(file, `${location.origin}/`).href);
  await Promise.all(urls.map(arrival));
  try {
    return await load();
  } catch (problem) {
    const failed = urls.filter((url) => preloadOf(url)?.hasAttribute('data-failed'));
    await Promise.all(failed.map(request));
    // The server delivers them now, but this page can no longer import them. Only what a page shows first is preloaded, so
    // nobody has typed anything into it.
    if (failed.length > 0 && !isFreshReload()) location.reload();
    throw problem;
  }
}

/** The link in the HTML head that preloads a module. first-paint.js marks it with `data-failed` if that fails. */
function preloadOf(url: string): Element | null {
  return document.querySelector(`link[rel=modulepreload][href="${new URL(url).pathname}"]`);
}

/** Whether the page was reloaded just now. Otherwise a script that can never run would reload it without a pause. */
function isFreshReload(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' && performance.now() < MIN_RELOAD_MS;
}

const MIN_RELOAD_MS = 8_000;

const arrivals = new Map<string, Promise<void>>();

function arrival(url: string): Promise<void> {
  const known = arrivals.get(url);
  if (known) return known;
  const coming = request(url).catch((problem) => {
    // The next import tries again.
    arrivals.delete(url);
    throw problem;
  });
  arrivals.set(url, coming);
  return coming;
}

async function request(url: string): Promise<void> {
  if (url.endsWith('.css')) return addSheet(url);
  // `import()` waits for a module that the page preloads. Fetching it as well would load it twice.
  if (preloadOf(url)?.hasAttribute('data-failed') === false) return;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  await answer.arrayBuffer();
}

async function addSheet(url: string): Promise<void> {
  if ([...document.styleSheets].some((sheet) => sheet.href === url && isLoaded(sheet))) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url;
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${url} did not arrive`));
    });
    document.head.append(link);
  });
}

/**
 * Whether a style sheet has loaded: the rules of one that failed cannot be read. The server lists the style sheets of
 * the first page in the HTML head.
 */
function isLoaded(sheet: CSSStyleSheet): boolean {
  try {
    return sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}
