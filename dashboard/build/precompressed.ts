import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json']);

/**
 * A Vite plug-in that compresses each text file with Brotli and gzip, so that the service need not compress files for
 * each request.
 */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir !== undefined) compressFiles(dir, constants.BROTLI_MAX_QUALITY);
    },
  };
}

/**
 * Writes a Brotli file `<file>.br` and a gzip file `<file>.gz` next to each text file in a folder.
 * @param quality quality of Brotli, from 0 to 11; 11 takes about ten times as long as 9
 */
export function compressFiles(folder: string, quality: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXT.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    );
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
