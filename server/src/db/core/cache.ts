import type { Db } from './database.ts';

/** Reads the version of the data, at most once: everything a request reads from the cache shares that version. */
export type DataVersion = () => number | string | Promise<string>;

type Entry = { version: number | string; value: Promise<unknown>; bytes: number };

const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Values are valid for one version of the data, and a commit on any server changes the version. So a request never
 * reads anything older than itself.
 */
export function createCache(db: Db) {
  const entries = new Map<string, Entry>();
  let bytes = 0;

  /** One per request. The database is asked when the version is first needed. */
  function newDataVersion(): DataVersion {
    let version: ReturnType<DataVersion> | null = null;
    return () => {
      version ??= db.dataVersion();
      return version;
    };
  }

  async function getOrLoad<T>(
    readVersion: DataVersion,
    key: string,
    load: () => Promise<T>,
    sizeOf: (value: T) => number,
  ): Promise<T> {
    // The version is read before the value: a commit in between gives the next request a different version.
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
    if (entries.size >= MAX_ENTRIES || bytes > MAX_BYTES) {
      entries.clear();
      bytes = 0;
    }
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.set(key, entry);
  }

  function setSize(key: string, value: Promise<unknown>, size: number): void {
    const entry = entries.get(key);
    if (entry?.value !== value) return;
    entry.bytes = size;
    bytes += size;
  }

  return { newDataVersion, getOrLoad };
}

export type Cache = ReturnType<typeof createCache>;
