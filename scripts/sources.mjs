/** What `dist` is built from, and whether the `dist` that is there was built from it. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const FOLDERS = ['src', 'migrations', 'clients/typescript/src'];
const FILES = ['nest-cli.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
/** As in tsconfig.build.json. */
const NOT_BUILT = /\.(spec|fake|fixture)\.ts$/;
const STAMP = join(ROOT, 'dist', 'sources.sha256');

/** A hash of every file that the build reads. Contents, not times: a clone, a copy and a checkout change times. */
export function sourcesHash() {
  const hash = createHash('sha256');
  for (const path of [...FOLDERS.flatMap(filesUnder), ...FILES])
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function filesUnder(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesUnder(path);
      return NOT_BUILT.test(entry.name) ? [] : [path];
    });
}

/** Whether `dist` was built from the sources as they are now. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourcesHash();
}

/** Says what `dist` was built from. A build that was broken off leaves no stamp, and is done again. */
export function stampBuild(hash) {
  writeFileSync(STAMP, hash);
}
