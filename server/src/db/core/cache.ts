import type { Db } from './database.ts';

/**
 * Returns the version of the data. A request reads it at most once, so everything that it takes from the cache has the
 * same version.
 */
export type DataVersion = () => number | string | Promise<string>;

type Entry = { version: number | string; value: Promise<unknown>; bytes: number };

const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Creates a cache whose values are valid for one version of the data, or of the people. A commit on any server changes the
 * version, so a request never gets data that is older than the request.
 */
export function createCache(db: Db) {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  /** Creates the `DataVersion` of one request. It queries the database when the version is first needed. */
  function newDataVersion(): DataVersion {
    let version: ReturnType<DataVersion> | null = null;
    return () => {
      version ??= db.dataVersion();
      return version;
    };
  }

  async function has(readVersion: DataVersion, key: string): Promise<boolean> {
    return entries.get(key)?.version === (await readVersion());
  }

  async function getOrLoad<T>(
    readVersion: DataVersion,
    key: string,
    load: () => Promise<T>,
    sizeOf: (value: T) => number,
  ): Promise<T> {
    // The version is read before the value. If a commit comes in between, the next request sees a new version and loads
    // again.
    const version = await readVersion();
    const known = entries.get(key);
    if (known?.version === version) return known.value as Promise<T>;
    const value = load();
    add(key, { version, value, bytes: 0 });
    value.then(
      (loaded) => setSize(key, value, sizeOf(loaded)),
      () => entries.delete(key),
    );
    return value;
  }

  function add(key: string, entry: Entry): void {
    if (entries.size >= MAX_ENTRIES) clear();
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.set(key, entry);
  }

  function clear(): void {
    entries.clear();
    bytes = 0;
  }

  function setSize(key: string, value: Promise<unknown>, size: number): void {
    const entry = entries.get(key);
    if (entry?.value !== value) return;
    entry.bytes = size;
    bytes += size;
    if (bytes > MAX_BYTES) clear();
  }

  return { newDataVersion, has, getOrLoad };
}

export type Cache = ReturnType<typeof createCache>;
