// The service worker. It lets the app open without a connection: it keeps the built files, whose names contain their
// hash, and one neutral page without anybody's data. It never keeps an answer of the API or a page from the server.
// Plain script, no imports; the build fills in the names of the files (build/service-worker.ts).

/** @type {string[]} */
const FILES = [];
const SHELL = '/offline.html';
const CACHE = 'files';
/** Where the worker notes its files. The next version keeps them too, for tabs that still run this one. */
const NOTED = '/noted-files';
const PARALLEL = 6;
/** A page that takes longer than this opens from this device. */
const PATIENCE_MS = 5_000;

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (/^\/(?:$|login$|dashboard(?:\/|$))/.test(pathname)) event.respondWith(openPage(event));
  } else if (pathname.startsWith('/assets/')) event.respondWith(readFile(request, pathname));
});

async function install() {
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const file of FILES) if (!(await cache.match(file))) missing.push(file);
  const fetchFiles = async () => {
    for (let file = missing.pop(); file !== undefined; file = missing.pop()) await store(cache, file, {});
  };
  await Promise.all(Array.from({ length: PARALLEL }, fetchFiles));
  // Without cookies, so that the server cannot put anybody's data into it.
  await store(cache, SHELL, { credentials: 'omit', cache: 'no-store' });
  // Takes over at once: a version that waits for all tabs to close could stay for weeks.
  await self.skipWaiting();
}

async function store(cache, path, options) {
  const response = await fetch(path, options);
  if (!response.ok || response.redirected) throw new Error(`${path} answered ${response.status}`);
  await cache.put(path, response);
}

async function activate() {
  const cache = await caches.open(CACHE);
  const before = (await (await cache.match(NOTED))?.json()) ?? [];
  const kept = new Set([...FILES, ...before, SHELL, NOTED]);
  for (const request of await cache.keys()) if (!kept.has(new URL(request.url).pathname)) await cache.delete(request);
  await cache.put(NOTED, Response.json(FILES));
  await registration.navigationPreload?.enable();
  await clients.claim();
}

/** Opens a page from the server or, when it does not answer, the neutral page, which shows what this device has. */
async function openPage(event) {
  try {
    const response = await Promise.race([fromServer(event), late()]);
    if (![502, 503, 504].includes(response.status)) return response;
  } catch {
    // There is no connection.
  }
  return (await caches.match(SHELL)) ?? Response.error();
}

async function fromServer(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

function late() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('late')), PATIENCE_MS));
}

async function readFile(request, pathname) {
  return (await caches.match(pathname, { ignoreVary: true })) ?? fetch(request);
}
