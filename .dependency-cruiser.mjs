/**
 * The rooms of `src` and what each may import: the table of ARCHITECTURE.md as rules. A room is one folder; it is
 * entered by its `index.ts` only. `npm run rooms` checks.
 */

import { readFileSync } from 'node:fs';

/** Rooms, the lowest first: a room may import only those that its line names, itself aside. */
const edge = ['settings', 'platform', 'errors', 'database', 'storage', 'fields', 'pages', 'http'];
const model = [
  'expressions',
  'long-values',
  'execution-events',
  'active-time',
  'node-contract',
  'engine',
  'trace-context',
];
const guarded = [...edge, 'access', 'idempotency', 'audit'];
const people = ['users', 'teams', 'projects'];
const ROOMS = {
  // Pure: no I/O, no Nest.
  expressions: [],
  'long-values': ['expressions'],
  // Values of secrets hidden in texts.
  masking: ['expressions'],
  // JSON Schema without generated code, for browsers, and its errors in words.
  'json-schema': ['expressions'],
  'execution-events': ['expressions', 'long-values'],
  'active-time': ['execution-events'],
  'node-contract': ['expressions', 'execution-events'],
  engine: ['expressions', 'long-values', 'execution-events', 'active-time', 'node-contract'],
  // W3C Trace Context: what callers send, and ids of spans.
  'trace-context': [],
  // Files of new node types, plug-ins and modules.
  scaffolds: [],
  // Every setting of the service, typed and checked.
  settings: [],
  // No business word.
  platform: ['settings'],
  // What callers are told of failures.
  errors: [],
  redis: ['settings'],
  database: ['settings'],
  storage: ['settings', 'platform', 'database', 'redis'],
  logging: ['settings', 'platform', 'database'],
  // Decorators of request fields.
  fields: [],
  // Lists by cursor.
  pages: ['platform', 'errors', 'fields'],
  // Values encrypted at rest.
  encryption: ['settings', 'errors'],
  // Responds 503 to what database calls an outage.
  http: ['settings', 'platform', 'errors', 'database', 'storage', 'pages'],
  // Who calls, and what they own.
  access: edge,
  idempotency: [...edge, 'access'],
  audit: [...edge, 'access', 'idempotency'],
  users: [...edge, 'access', 'audit'],
  'rate-limits': [...edge, 'redis', 'access'],
  // A team has a plan, which rate-limits knows.
  teams: [...guarded, 'users', 'rate-limits'],
  projects: [...guarded, 'users', 'teams'],
  // A key may have a lower plan than its team.
  keys: [...guarded, ...people, 'rate-limits'],
  // Failed authentications are limited by address, so the guard asks rate-limits.
  auth: [...guarded, ...people, 'keys', 'rate-limits'],
  // JWTs of other issuers give API tokens.
  'token-exchange': [...guarded, 'users', 'teams', 'keys', 'auth', 'rate-limits'],
  // Executions, from the journal up.
  journal: [...edge, ...model],
  inbox: [...edge, ...model],
  admission: edge,
  'execution-store': [...edge, ...model, 'access', 'journal', 'projects', 'instances', 'inbox', 'admission'],
  // Its controller, the list of node types, requires a scope.
  nodes: [...model, 'json-schema', 'settings', 'platform', 'database', 'pages', 'http', 'access'],
  'node-types': [...model, 'settings', 'platform', 'http', 'access', 'instances', 'nodes'],
  instances: edge,
  sessions: [...guarded, 'expressions', 'execution-events', 'projects', 'execution-store'],
  workflows: [...guarded, ...model, 'projects', 'nodes', 'execution-store'],
  'execution-totals': [...edge, ...model, 'journal', 'execution-store'],
  // The words of executions, for the searches of their lists.
  'execution-search': [...edge, 'expressions'],
  // What runs hold in memory: reservations, long values.
  'run-memory': [...edge, ...model, 'journal'],
  'execution-runner': [
    'instances',
    'run-memory',
    ...edge,
    ...model,
    'masking',
    'journal',
    'inbox',
    'execution-store',
    'nodes',
    'sessions',
    'workflows',
  ],
  'execution-start': [
    'journal',
    ...edge,
    ...model,
    'idempotency',
    'admission',
    'execution-store',
    'execution-runner',
    'sessions',
    'workflows',
  ],
  // Values for attempts, hooks and webhooks; it warns workflows of names that it does not know.
  secrets: [
    ...guarded,
    ...model,
    'encryption',
    'masking',
    'logging',
    'projects',
    'nodes',
    'workflows',
    'execution-runner',
  ],
  'node-results': ['instances', ...edge, ...model, 'execution-store', 'execution-runner'],
  'execution-reports': [
    'instances',
    ...edge,
    ...model,
    'access',
    'projects',
    'journal',
    'workflows',
    'admission',
    'execution-store',
    'execution-totals',
    'execution-runner',
  ],
  // The runner asks it for the links by which people decide.
  approvals: [
    ...edge,
    'access',
    'audit',
    ...model,
    'users',
    'projects',
    'journal',
    'workflows',
    'inbox',
    'execution-store',
    'execution-runner',
  ],
  executions: [
    ...edge,
    'access',
    'idempotency',
    ...model,
    'projects',
    'journal',
    'nodes',
    'sessions',
    'workflows',
    'inbox',
    'execution-store',
    'execution-search',
    'execution-totals',
    'execution-start',
    'approvals',
  ],
  // An action on every execution that matches a filter, in the background.
  'bulk-jobs': [...guarded, 'expressions', 'teams', 'instances', 'executions'],
  // Filters, columns and order of lists under a name.
  'saved-views': [...guarded, 'expressions'],
  // How two executions of a workflow differ.
  comparisons: [...guarded, ...model, 'instances', 'projects', 'execution-store', 'executions'],
  schedules: [
    ...guarded,
    'expressions',
    'projects',
    'workflows',
    'execution-store',
    'execution-start',
    'executions',
  ],
  hooks: [
    ...guarded,
    ...model,
    'teams',
    'rate-limits',
    'projects',
    'secrets',
    'workflows',
    'execution-store',
    'execution-start',
    'executions',
  ],
  retention: [...edge, 'sessions', 'execution-totals', 'execution-runner', 'node-results', 'instances'],
  // Help for authors of workflows: nothing of it is saved or recorded.
  authoring: [...edge, ...model, 'access', 'nodes', 'workflows', 'execution-store', 'execution-runner'],
  // One search over the lists of many rooms; it has no table of its own.
  search: [
    ...edge,
    'access',
    'expressions',
    'long-values',
    'keys',
    'sessions',
    'workflows',
    'secrets',
    'execution-store',
    'execution-search',
    'executions',
    'schedules',
    'hooks',
    'webhooks',
  ],
  // Moves the clock from one due instant to the next; the rooms that use the clock do not know of it.
  'test-clock': [...edge, 'access', 'instances', 'admission', 'execution-runner', 'schedules', 'webhooks'],
  // Tokens for browsers, for executions and sessions that the caller reads.
  'view-tokens': [...edge, 'access', 'auth', 'execution-store', 'sessions'],
  events: [...guarded, ...model, 'projects', 'keys', 'auth', 'journal'],
  // Where webhooks send events to; plug-ins add targets.
  'event-sinks': ['settings', 'node-types'],
  webhooks: [
    ...guarded,
    'expressions',
    'execution-events',
    'trace-context',
    'projects',
    'journal',
    'encryption',
    'event-sinks',
    'workflows',
    'events',
  ],
  // The messages of the socket, described as /openapi.json describes the requests.
  asyncapi: ['expressions', 'execution-events', 'settings', 'http', 'access'],
  // Executions drawn in a terminal, from their events.
  display: [...model, 'journal'],
  // Version and health require no scope, but say who may ask.
  // Figures of many rooms; it is told or reads, and nobody imports it but the composition.
  metrics: [...edge, ...model, 'access', 'journal', 'execution-runner', 'events', 'schedules', 'webhooks'],
  // The state of the whole service, for those who operate it.
  system: [...edge, 'access', 'projects', 'instances', 'journal', 'execution-reports', 'webhooks'],
  // Spans, made of events.
  telemetry: [...edge, 'execution-events', 'trace-context', 'journal', 'instances'],
  // All data of a SQLite file, moved to PostgreSQL.
  transfer: ['database', 'instances'],
  // Copies of a SQLite file, and their way back.
  backup: ['database'],
  version: [...edge, 'access'],
  health: [...edge, 'access'],
  // Files of built sites, with their headers.
  'static-files': [],
  // Their files are public; the dashboard's data comes by the API.
  dashboard: [...edge, 'access', 'static-files'],
  docs: [...edge, 'access', 'static-files'],
  v0: [...edge, 'access'],
};

/** They put the rooms together and see all of them: files right under `src`, and these folders. */
const COMPOSING = ['cli', 'start'];

const PURE = [
  'expressions',
  'long-values',
  'masking',
  'json-schema',
  'execution-events',
  'active-time',
  'node-contract',
  'engine',
];

/** Rooms whose code the dashboard bundles. */
const IN_BROWSERS = PURE.filter((room) => room !== 'masking');

/** Packages that the pure rooms may use: they have no other access to the world. */
const PURE_PACKAGES = ['@marcbachmann/cel-js', 'ajv-formats'];

/** The files that speak TypeORM. */
const TYPEORM_FILES = [
  '\\.(entity|repository|module)\\.ts$',
  '^src/(database|storage)/',
  '^src/encryption/sealed-columns',
  '^migrations/',
];

/** Entry files load them before everything else, threads without the rest of the room: no door in between. */
const ALONE =
  '^src/(platform/(runtime-version|startup-garbage)|database/sqlite-connection|node-contract/json-depth)\\.ts$';

/** Packages that `npm run bench -- peers` installs. */
const PEERS = Object.keys(
  JSON.parse(readFileSync(new URL('tools/bench/peers/package.json', import.meta.url), 'utf8')).dependencies,
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
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', ALONE] },
    },
    {
      name: 'compose-by-the-door',
      comment:
        'Composing files, migrations and tools enter a room by its index.ts, too; tests may look inside.',
      severity: 'error',
      from: { path: ['^src/[^/]+\\.ts$', '^migrations/', '^tools/'] },
      to: { path: '^src/[^/]+/', pathNot: ['^src/[^/]+/index\\.ts$', ALONE] },
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
        'The dashboard knows the service by its client, entered by api/client.ts, and by rooms that run in browsers.',
      severity: 'error',
      from: { path: '^dashboard/src/', pathNot: '^dashboard/src/api/client\\.ts$' },
      to: {
        path: ['^(src|migrations|test)/', '^clients/'],
        pathNot: `^src/${anyOf(IN_BROWSERS)}/index\\.ts$`,
      },
    },
    {
      name: 'the-dashboard-bundles-pure-rooms',
      comment: 'Rooms that the dashboard bundles import nothing else but types.',
      severity: 'error',
      from: { path: `^src/${anyOf(IN_BROWSERS)}/`, pathNot: SPEC },
      to: {
        pathNot: [`^src/${anyOf(IN_BROWSERS)}/`, ...PURE_PACKAGES.map((name) => `^node_modules/${name}/`)],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'dashboard-layers',
      comment: 'format, ui, api, editor, graph and live know no page, and pages know no other page.',
      severity: 'error',
      from: { path: '^dashboard/src/(format|ui|api|editor|graph|live)/' },
      to: { path: '^dashboard/src/(pages|shell)/' },
    },
    {
      name: 'dashboard-pages-apart',
      severity: 'error',
      from: { path: '^dashboard/src/pages/([^/]+)/' },
      to: { path: '^dashboard/src/pages/', pathNot: '^dashboard/src/pages/$1/' },
    },
    {
      name: 'dashboard-texts-of-own-page',
      comment: 'A page imports the texts of its own area only, so that its chunk carries no others.',
      severity: 'error',
      from: { path: '^dashboard/src/pages/([^/]+)/' },
      to: { path: '^dashboard/src/texts/en/', pathNot: '^dashboard/src/texts/en/$1[.-]' },
    },
    {
      name: 'dashboard-texts-import-formats',
      comment: 'Texts know formats of values, and nothing of the pages that show them.',
      severity: 'error',
      from: { path: '^dashboard/src/texts/' },
      to: { path: '^dashboard/src/', pathNot: '^dashboard/src/(texts|format)/' },
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
      comment: 'Entities, repositories, the modules that register them, migrations, database and storage.',
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
      to: { path: ['\\.(spec|fake|fixture)\\.ts$', '^test/', '^tools/'] },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'What src imports stands in the dependencies of package.json.',
      severity: 'error',
      from: { path: '^(src|migrations|tools/demo)/', pathNot: '\\.(spec|fake|fixture)\\.ts$' },
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
