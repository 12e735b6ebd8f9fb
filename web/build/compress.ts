import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|svg|json|txt|xml|wasm|webmanifest|ico)$/;
/** Smaller files are not compressed, because it would save too little. */
const MIN_BYTES = 512;
/** Larger files get a lower brotli quality: the best would take many seconds and save only another tenth. */
const LARGE = 1_000_000;

/** Writes `.br` and `.gz` next to every file that becomes smaller, so the server does not compress at run time. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      if (this.environment.name !== 'client') return;
      for (const file of filesIn(folder)) compressFile(file);
    },
  };
}

function compressFile(file: string): void {
  const content = readFileSync(file);
  if (!COMPRESSIBLE.test(file) || content.length < MIN_BYTES) return;
  const brotli = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE ? 9 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli);
  const gzip = gzipSync(content, { level: 9 });
  if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
