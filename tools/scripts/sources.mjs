/** Lists the build targets with their source files, and checks whether the builds are up to date. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {{ folders: readonly string[], files: readonly string[], out: string }} Target */

/** @type {Target} */
export const SERVICE = {
  folders: ['src', 'migrations', 'tools/demo', 'clients/typescript/src'],
  files: [
    'nest-cli.json',
    'package-lock.json',
    'tools/scripts/join.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
  ],
  out: join(ROOT, 'dist'),
};
/** @type {Target} */
export const DASHBOARD = {
  folders: [
    'dashboard/src',
    'dashboard/build',
    'dashboard/public',
    'clients/typescript/src',
    'src/execution-events',
  ],
  files: ['dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/tsconfig.json', 'package-lock.json'],
  out: join(ROOT, 'dashboard', 'dist'),
};

/** The docs site. It describes the API and the node types, so the sources of the service are among its sources. */
/** @type {Target} */
export const DOCS = {
  folders: ['docs', 'tools/docs-site', 'src'],
  files: [
    '.env.example',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'clients/typescript/README.md',
    'dashboard/build/precompressed.ts',
    'examples/README.md',
    'package-lock.json',
  ],
  out: join(ROOT, 'docs', 'dist'),
};

/** Paths that the build of the docs site writes inside its source folders. They are not sources. */
const MADE = new Set([
  'docs/dist',
  'docs/dist.new',
  'tools/docs-site/pages',
  'tools/docs-site/.vitepress/.temp',
  'tools/docs-site/.vitepress/cache',
]);

/** Files that are not part of a build. tsconfig.build.json excludes the same files. */
const NOT_BUILT = /\.(spec|fake|fixture)\.tsx?$/;

/**
 * Returns a hash of the paths and contents of all source files. Modification times are ignored, because they differ in
 * each clone.
 */
export function sourcesHash({ folders, files }) {
  const hash = createHash('sha256');
  for (const path of [...folders.flatMap(filesUnder), ...files])
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
      if (entry.isDirectory()) return MADE.has(path) ? [] : filesUnder(path);
      return NOT_BUILT.test(entry.name) ? [] : [path];
    });
}

/** Whether a target was built from its current sources. */
export function isBuilt(target) {
  const stamp = stampOf(target);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesHash(target);
}

/**
 * Marks the build of a target as complete by storing the hash of its sources. An interrupted build has no hash, so the
 * target is built again.
 */
export function stampBuild(target, hash) {
  writeFileSync(stampOf(target), hash);
}

function stampOf({ out }) {
  return join(out, 'sources.sha256');
}
