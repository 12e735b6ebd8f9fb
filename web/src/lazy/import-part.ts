/**
 * Runs a dynamic `import()` once every file it needs has arrived. The build calls this function in place of Vite's own
 * helper (build/import-parts.ts). After a failed `import()` or `modulepreload`, browsers do not request that module
 * again until the page is reloaded, nor anything that depends on it. A failed `fetch` can simply be repeated, and the
 * `import()` after it is answered from the browser's cache.
 */
export async function importPart<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  await Promise.all(files.map((file) => arrival(new URL(file, `${location.origin}/`).href)));
  return load();
}

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
  // The page preloads the entry script and its imports. They are already loaded, because this code is one of them.
  if (document.querySelector(`link[rel=modulepreload][href="${new URL(url).pathname}"]`)) return;
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
