/**
 * Joins the compiled modules of the service and its packages into few files, because a start that loads 3,700
 * small files takes twice as long. The entry files in `dist` are replaced; they load the joined code from `dist/joined`.
 * The folder `dist/joined/packages` contains the packages that plug-ins share with the service. All other compiled files
 * remain: threads and sandboxed processes run from them.
 */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.mjs';

const COMPILED = join(ROOT, 'dist');
const { bin, dependencies, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The files that users, npm scripts and plug-ins load, as paths in `dist` without their extension. */
const ENTRIES = ['./dist/src/main.js', './dist/tools/demo/main.js', ...Object.values(bin), ...exported()].map(
  (path) => relative(COMPILED, join(ROOT, path)).replace(/\.js$/, ''),
);

/** Packages with binaries, which they load from their own folder. */
const WITH_BINARIES = ['better-sqlite3', '@node-rs/argon2', 'msgpackr-extract'];
/**
 * Packages that are loaded long after the build. TypeORM loads `pg` by its name. The service loads `undici` at its first
 * use, and by then another build may have replaced the joined files.
 */
const LOADED_LATE = ['pg', 'undici'];
/** Packages that Nest loads if they are installed. They are not dependencies of the service. */
const ABSENT = ['@fastify/static', '@nestjs/microservices', '@nestjs/platform-socket.io'];
const SEPARATE = new RegExp(`^(?:${[...WITH_BINARIES, ...LOADED_LATE, ...ABSENT].join('|')})(?:/|$)`);

const { isShared } = await import(pathToFileURL(join(COMPILED, 'src/nodes/plugins/shared-packages.js')).href);
/** Packages that plug-ins share with the service. `plugin-loader.ts` directs their imports to `dist/joined/packages`. */
const SHARED = Object.keys(dependencies).filter(isShared);
const SHARED_ID = 'shared:';

/** Packages that load other packages with a `require` of their own, which would load a second copy. */
const OWN_REQUIRE = /[\\/]node_modules[\\/]@nestjs[\\/](?:mapped-types|platform-ws|typeorm)[\\/]/;
const MADE_REQUIRE = 'createRequire(import.meta.url)';

const joined = await rolldown({
  cwd: COMPILED,
  input: Object.fromEntries([
    ...ENTRIES.map((entry) => [entry, `${entry}.js`]),
    ...SHARED.map((name) => [`joined/packages/${name}`, SHARED_ID + name]),
  ]),
  platform: 'node',
  external: (name) => SEPARATE.test(name),
  plugins: [{ name: 'original-urls', resolveId, load }],
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

function resolveId(id) {
  return id.startsWith(SHARED_ID) ? id : null;
}

/**
 * Loads a module. The `import.meta.url` of a compiled module still names the compiled file, to find other files relative
 * to it.
 */
async function load(id) {
  if (id.startsWith(SHARED_ID)) return exportsOf(id.slice(SHARED_ID.length));
  if (OWN_REQUIRE.test(id))
    return readFileSync(id, 'utf8')
      .replace(`const require = ${MADE_REQUIRE};`, '')
      .replace(MADE_REQUIRE, 'require');
  if (!id.startsWith(COMPILED)) return null;
  const path = relative(COMPILED, id).split(sep).join('/');
  // The expression is valid in every file of `dist`, because an output file may be in any folder of `dist`.
  const url = `import.meta.url.replace(/^(.*[/]dist[/]).*$/, ${JSON.stringify(`$1${path}`)})`;
  return {
    code: readFileSync(id, 'utf8').replaceAll('import.meta.url', url),
    map: readFileSync(`${id}.map`, 'utf8'),
  };
}

/** A module with the exports of a package. The exports are listed, because those of CommonJS are not known statically. */
async function exportsOf(name) {
  const names = Object.keys(await import(name)).filter(
    (one) => one !== 'default' && one !== 'module.exports',
  );
  return `import * as all from '${name}';\nexport const { ${names.join(', ')} } = all;\n`;
}
