/**
 * The rooms of `src` and what each may import: the table of ARCHITECTURE.md as rules. A room is one folder; it is
 * entered by its `index.ts` only. `npm run rooms` checks.
 */

import { readFileSync } from 'node:fs';

/** Rooms, the lowest first: a room may import only those that its line names, itself aside. */
const people = ['users', 'teams', 'projects'];
const base = ['engine', 'platform', 'access', 'audit', 'journal'];
const ROOMS = {
  engine: [],
  platform: [],
  access: ['platform'],
  audit: ['platform', 'access'],
  journal: ['engine', 'platform'],
  // Executions drawn in a terminal, from their events.
  display: ['engine', 'journal'],
  users: ['access', 'audit', 'journal', 'platform'],
  'rate-limits': ['access', 'platform'],
  // A team has a plan, which rate-limits knows.
  teams: ['access', 'audit', 'journal', 'platform', 'users', 'rate-limits'],
  projects: ['access', 'audit', 'journal', 'platform', 'users', 'teams'],
  // A key may have a lower plan than its team.
  keys: [...base, ...people, 'rate-limits'],
  // Failed authentications are limited by address, so the guard asks rate-limits.
  auth: [...base, ...people, 'keys', 'rate-limits'],
  sessions: [...base, ...people],
  // Its controller, the list of node types, stands behind a scope.
  nodes: ['engine', 'platform', 'access'],
  workflows: [...base, ...people, 'nodes'],
  executions: [...base, ...people, 'sessions', 'nodes', 'workflows'],
  schedules: [...base, ...people, 'sessions', 'nodes', 'workflows', 'executions'],
  webhooks: [...base, ...people, 'sessions', 'nodes', 'workflows', 'executions'],
  secrets: [...base, ...people, 'sessions', 'nodes', 'workflows', 'executions'],
  events: [...base, ...people, 'keys', 'auth'],
  // Version and health stand behind no scope, but say who may ask.
  version: ['platform', 'access'],
  health: ['platform', 'access'],
  // Its files are public; their data comes by the API.
  dashboard: ['platform', 'access'],
  v0: ['platform'],
};

/** They put the rooms together and see all of them: files right under `src`, and these folders. */
const COMPOSING = ['cli', 'demo', 'start'];

/** Packages that the engine may use: it has no other access to the world. */
const ENGINE_PACKAGES = ['@marcbachmann/cel-js'];

/** The files that speak TypeORM. */
const TYPEORM_FILES = ['\\.(entity|repository|module)\\.ts$', '^src/platform/database/', '^migrations/'];

/** Entry files load them before everything else: no door in between. */
const FIRST = '^src/platform/(runtime-version|http-without-fetch)\\.ts$';

/** Packages that `npm run bench -- peers` installs. */
const PEERS = Object.keys(
  JSON.parse(readFileSync(new URL('bench/peers/package.json', import.meta.url), 'utf8')).dependencies,
);

const SPEC = '\\.spec\\.ts$';
const anyOf = (names) => `(${names.join('|')})`;

const roomRules = Object.entries(ROOMS).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `${room} may import ${allowed.length === 0 ? 'no other room' : allowed.join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: ['^src/', '^migrations/'], pathNot: `^src/${anyOf([room, ...allowed])}/` },
}));

export default {
  forbidden: [
    ...roomRules,
    {
      name: 'every-folder-is-a-room',
      comment: 'A folder under src that the table of this file does not name.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/${anyOf([...Object.keys(ROOMS), ...COMPOSING])}/` },
      to: {},
    },
    {
      name: 'enter-by-the-door',
      comment: 'A room is entered by its index.ts.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', FIRST] },
    },
    {
      name: 'compose-by-the-door',
      comment:
        'Composing files, migrations and benchmarks enter a room by its index.ts, too; tests may look inside.',
      severity: 'error',
      from: { path: ['^src/[^/]+\\.ts$', '^migrations/', '^bench/', '^proof-kit/'] },
      to: { path: '^src/[^/]+/', pathNot: ['^src/[^/]+/index\\.ts$', FIRST] },
    },
    {
      name: 'not-by-your-own-door',
      comment: 'Inside a room, files import siblings.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: SPEC },
      to: { path: '^src/$1/index\\.ts$' },
    },
    {
      name: 'dashboard-calls',
      comment:
        'The dashboard knows the service by its client alone, and the client by the door api/client.ts.',
      severity: 'error',
      from: { path: '^dashboard/src/', pathNot: '^dashboard/src/api/client\\.ts$' },
      to: { path: ['^(src|migrations|test)/', '^clients/'] },
    },
    {
      name: 'dashboard-layers',
      comment: 'format, ui, api and live know no page, and pages know no other page.',
      severity: 'error',
      from: { path: '^dashboard/src/(format|ui|api|live)/' },
      to: { path: '^dashboard/src/(pages|shell)/' },
    },
    {
      name: 'dashboard-pages-apart',
      severity: 'error',
      from: { path: '^dashboard/src/pages/([^/]+)/' },
      to: { path: '^dashboard/src/pages/', pathNot: '^dashboard/src/pages/$1/' },
    },
    {
      name: 'no-cycles',
      comment: 'Types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'typeorm-in-its-files',
      comment: 'Entities, repositories, the modules that register them, migrations and platform/database.',
      severity: 'error',
      from: { path: ['^src/', '^migrations/'], pathNot: [...TYPEORM_FILES, SPEC] },
      to: { path: '^node_modules/(typeorm|@nestjs/typeorm|better-sqlite3|pg)/' },
    },
    {
      name: 'engine-is-pure',
      comment: 'No Nest, database, clock or I/O in the engine.',
      severity: 'error',
      from: { path: '^src/engine/', pathNot: SPEC },
      to: { pathNot: ['^src/engine/', ...ENGINE_PACKAGES.map((name) => `^node_modules/${name}/`)] },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.(spec|fake|fixture)\\.ts$' },
      to: { path: ['\\.(spec|fake|fixture)\\.ts$', '^test/', '^bench/'] },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'What src imports stands in the dependencies of package.json.',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: '\\.(spec|fake|fixture)\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'resolvable',
      comment: 'The packages of the peers are installed by the bench alone.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: `^${anyOf(PEERS)}$` },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^clients/typescript/src/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
