/**
 * Joins the compiled modules of the service into few files, because loading a thousand small files would prolong each
 * start by 0.5 s. The entry files in `dist` are replaced; they load the joined code from `dist/joined`. Packages stay
 * separate files, so that the service and its plug-ins share one copy of each package. All other compiled files remain:
 * threads and sandboxed processes run from them.
 */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.mjs';

const COMPILED = join(ROOT, 'dist');
const { bin, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The files that users, npm scripts and plug-ins load, as paths in `dist` without their extension. */
const ENTRIES = ['./dist/src/main.js', './dist/tools/demo/main.js', ...Object.values(bin), ...exported()].map(
  (path) => relative(COMPILED, join(ROOT, path)).replace(/\.js$/, ''),
);

/**
 * Packages that are joined, too, because they consist of many files: 95 of zod, 130 of `@nestjs/swagger`, and 430 of its
 * dependency `es-toolkit`. Plug-ins may use another copy of `@nestjs/swagger`, because the
 * decorators of both copies store the same metadata.
 */
const JOINED_PACKAGES = /^(?:zod|@nestjs\/swagger|es-toolkit)(?:\/|$)/;

const joined = await rolldown({
  cwd: COMPILED,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${entry}.js`])),
  platform: 'node',
  external: (name) => !/^[./]/.test(name) && !JOINED_PACKAGES.test(name),
  plugins: [{ name: 'original-urls', load }],
  checks: { bundlerTimings: false },
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
await joined.write({
  dir: COMPILED,
  entryFileNames: '[name].js',
  chunkFileNames: 'joined/[name].js',
  // Nest, TypeORM and the logs use the names of classes.
  keepNames: true,
  sourcemap: true,
});
await joined.close();

function exported() {
  return Object.values(exports).flatMap((target) => {
    const path = target.default ?? target;
    return path.endsWith('.js') ? [path] : [];
  });
}

/**
 * Loads a compiled module. Its `import.meta.url` still names the compiled file, to find other files relative to it.
 */
function load(id) {
  if (!id.startsWith(COMPILED)) return null;
  const path = relative(COMPILED, id).split(sep).join('/');
  // The expression is valid in every file of `dist`, because an output file may be in any folder of `dist`.
  const url = `import.meta.url.replace(/^(.*[/]dist[/]).*$/, ${JSON.stringify(`$1${path}`)})`;
  return {
    code: readFileSync(id, 'utf8').replaceAll('import.meta.url', url),
    map: readFileSync(`${id}.map`, 'utf8'),
  };
}
