/**
 * The rooms of `src` and what each may import: the table of ARCHITECTURE.md as rules. A room is one folder; it is
 * entered by its `index.ts` only. `npm run rooms` checks.
 */

import { readFileSync } from 'node:fs';

/** Rooms, the lowest first: a room may import only those that its line names, itself aside. */
const edge = ['settings', 'platform', 'storage', 'http'];
const model = ['expressions', 'execution-events', 'node-contract', 'engine'];
const guarded = [...edge, 'access', 'idempotency', 'audit'];
const people = ['users', 'teams', 'projects'];
const ROOMS = {
  // Pure: no I/O, no Nest.
  expressions: [],
  'execution-events': ['expressions'],
  'node-contract': ['expressions', 'execution-events'],
  engine: ['expressions', 'execution-events', 'node-contract'],
  // Every setting of the service, typed and checked.
  settings: [],
  // No business word.
  platform: ['settings'],
  storage: ['settings', 'platform'],
  logging: ['settings', 'platform', 'storage'],
  // Responds 503 to what storage calls an outage.
  http: ['settings', 'platform', 'storage'],
  // Who calls, and what they own.
  access: edge,
  idempotency: edge,
  audit: [...edge, 'access', 'idempotency'],
  users: [...edge, 'access', 'audit'],
  'rate-limits': [...edge, 'access'],
  // A team has a plan, which rate-limits knows.
  teams: [...guarded, 'users', 'rate-limits'],
  projects: [...guarded, 'users', 'teams'],
  // A key may have a lower plan than its team.
  keys: [...guarded, ...people, 'rate-limits'],
  // Failed authentications are limited by address, so the guard asks rate-limits.
  auth: [...guarded, ...people, 'keys', 'rate-limits'],
  // Executions, from the journal up.
  journal: [...edge, ...model],
  'execution-store': [...edge, ...model, 'access', 'journal', 'projects', 'instances'],
  // Its controller, the list of node types, requires a scope.
  nodes: [...model, 'settings', 'platform', 'http', 'access'],
  'node-types': [...model, 'settings', 'platform', 'http', 'access', 'instances', 'nodes'],
  instances: edge,
  sessions: [...guarded, 'expressions', 'engine', 'projects', 'execution-store'],
  workflows: [...guarded, ...model, 'projects', 'nodes', 'execution-store'],
  'execution-totals': [...edge, ...model, 'journal', 'execution-store'],
  'execution-runner': [
    'instances',
    ...edge,
    ...model,
    'idempotency',
    'journal',
    'execution-store',
    'nodes',
    'sessions',
    'workflows',
  ],
  'execution-start': [
    ...edge,
    ...model,
    'idempotency',
    'execution-store',
    'execution-runner',
    'sessions',
    'workflows',
  ],
  'node-results': [
    'instances',
    ...edge,
    ...model,
    'execution-store',
    'execution-runner',
    'nodes',
    'instances',
  ],
  'execution-reports': [
    'instances',
    ...edge,
    ...model,
    'access',
    'projects',
    'journal',
    'workflows',
    'execution-store',
    'execution-totals',
    'execution-runner',
  ],
  executions: [
    ...guarded,
    ...model,
    'users',
    'projects',
    'journal',
    'nodes',
    'sessions',
    'workflows',
    'execution-store',
    'execution-totals',
    'execution-runner',
    'execution-start',
  ],
  retention: [...edge, 'sessions', 'execution-totals', 'execution-runner', 'node-results', 'instances'],
  events: [...guarded, ...model, 'projects', 'keys', 'auth', 'journal'],
  // Executions drawn in a terminal, from their events.
  display: [...model, 'journal'],
  // Version and health require no scope, but say who may ask.
  version: [...edge, 'access'],
  health: [...edge, 'access'],
  // Its files are public; their data comes by the API.
  dashboard: [...edge, 'access'],
  v0: [...edge, 'access'],
};

/** They put the rooms together and see all of them: files right under `src`, and these folders. */
const COMPOSING = ['cli', 'demo', 'start'];

const PURE = ['expressions', 'execution-events', 'node-contract', 'engine'];

/** Packages that the pure rooms may use: they have no other access to the world. */
const PURE_PACKAGES = ['@marcbachmann/cel-js'];

/** The files that speak TypeORM. */
const TYPEORM_FILES = ['\\.(entity|repository|module)\\.ts$', '^src/storage/', '^migrations/'];

/** Entry files load them before everything else: no door in between. */
const FIRST = '^src/platform/(runtime-version|http-without-fetch|startup-garbage)\\.ts$';

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
      comment: 'Entities, repositories, the modules that register them, migrations and storage.',
      severity: 'error',
      from: { path: ['^src/', '^migrations/'], pathNot: [...TYPEORM_FILES, SPEC] },
      to: { path: '^node_modules/(typeorm|@nestjs/typeorm|better-sqlite3|pg)/' },
    },
    {
      name: 'the-model-is-pure',
      comment: 'No Nest, database, clock or I/O in the engine and the rooms below it.',
      severity: 'error',
      from: { path: `^src/${anyOf(PURE)}/`, pathNot: SPEC },
      to: { pathNot: [`^src/${anyOf(PURE)}/`, ...PURE_PACKAGES.map((name) => `^node_modules/${name}/`)] },
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
