/**
 * Joins what `nest build` compiled, and the packages that it imports, to few files: the entry files below dist are
 * written over, what they load comes to dist/bundle. A start opens some thirty files in place of three thousand, which
 * halves its time, and what nobody imports stays out of memory. All else below dist/src is as it was compiled: programs
 * of threads and of sandboxes run from there, and so would the entry files if they were not bundled.
 */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.mjs';

const COMPILED = join(ROOT, 'dist');
const OWN = COMPILED + sep;
const ENTRIES = ['src/main', 'src/cli/main', 'tools/demo/main', 'src/node-contract', 'src/node-testing'];

/** They load binaries from their own folder. */
const WITH_BINARIES = ['better-sqlite3', '@node-rs/argon2', 'msgpackr-extract'];

/** TypeORM has Node.js load it, from node_modules. */
const LOADED_BY_NAME = ['pg'];

/** Asked for long after the start, when a build may have put another bundle in the place of the one that started. */
const LOADED_LATE = ['undici'];

/** Packages of others that some package would load if they were there. */
const ABSENT = ['@fastify/static', '@nestjs/microservices', '@nestjs/platform-socket.io'];

const LEFT_OUT = [...WITH_BINARIES, ...LOADED_BY_NAME, ...LOADED_LATE, ...ABSENT];

/** They ask Node.js for packages, of which it would load a second copy from node_modules. */
const OWN_REQUIRE = /[\\/]node_modules[\\/]@nestjs[\\/](?:mapped-types|platform-ws|typeorm)[\\/]/;
const MADE_REQUIRE = 'createRequire(import.meta.url)';

const joined = await rolldown({
  cwd: COMPILED,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `${entry}.js`])),
  platform: 'node',
  external: (name) => LEFT_OUT.some((other) => name === other || name.startsWith(`${other}/`)),
  plugins: [{ name: 'as in its place', load }],
  // A slow machine is no fault.
  checks: { bundlerTimings: false },
  onLog: (_level, { message }) => {
    throw new Error(message);
  },
});
const { output } = await joined.write({
  dir: COMPILED,
  entryFileNames: '[name].js',
  chunkFileNames: 'bundle/[name]-[hash].js',
  // Nest and TypeORM call things by the names of their classes.
  keepNames: true,
  // One other character, and V8 keeps all of a file in two bytes a character.
  charset: 'ascii',
  // A map takes a stack back to src: NODE_OPTIONS=--enable-source-maps.
  sourcemap: true,
  comments: { legal: true, annotation: false, jsdoc: false },
});
await joined.close();
// `placeOf` holds one folder below dist.
const lost = output.find(({ isEntry, code }) => isEntry === true && code.includes('import.meta.url'));
if (lost !== undefined)
  throw new Error(`${lost.fileName} asks where it is; let what it names be imported by "await import".`);

function load(id) {
  if (id.startsWith(OWN))
    return {
      code: readFileSync(id, 'utf8').replaceAll('import.meta.url', placeOf(id)),
      map: readFileSync(`${id}.map`, 'utf8'),
    };
  if (!OWN_REQUIRE.test(id)) return null;
  return readFileSync(id, 'utf8')
    .replace(`const require = ${MADE_REQUIRE};`, '')
    .replace(MADE_REQUIRE, 'require');
}

/** Where a file of the service was compiled to, as an expression that holds in dist/bundle. */
function placeOf(id) {
  const path = relative(COMPILED, id).split(sep).join('/');
  return `new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href`;
}
