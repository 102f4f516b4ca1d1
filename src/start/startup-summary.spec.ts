import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { localUrl } from '../platform/index.js';
import { type Startup, startupSummary } from './startup-summary.js';

const FIRST: Startup = {
  version: '1.0.0',
  readyAfterMs: 2_412,
  baseUrl: 'http://127.0.0.1:3000',
  dashboardUrl: 'http://127.0.0.1:3000/dashboard',
  role: 'all',
  dashboardMissingBecause: null,
  database: { dialect: 'sqlite', path: './.data/workflow.sqlite' },
  redisUrl: null,
  portInUse: null,
  setUp: { token: 'abc', minutes: 30 },
};

function dataLine(database: Startup['database']): string | undefined {
  return startupSummary({ ...FIRST, database })
    .split('\n')
    .find((line) => line.startsWith('  Data'));
}

it('the startup summary contains the URLs, the data location and the setup link', () => {
  expect(startupSummary(FIRST)).toBe(`  Workflow Service 1.0.0                                 ready in 2.4 s

  Dashboard    http://127.0.0.1:3000/dashboard
  API          http://127.0.0.1:3000/v1        docs /swagger, /openapi.json
  Events       ws://127.0.0.1:3000/ws
  Data         ./.data/workflow.sqlite         (set DATABASE_URL for PostgreSQL)

  First run. Create the admin account within 30 minutes:
  http://127.0.0.1:3000/dashboard/setup#t=abc

`);
});

it('the startup summary omits the setup link if a user exists', () => {
  const text = startupSummary({ ...FIRST, setUp: null, portInUse: { wanted: 3000, got: 3001 } });
  expect(text).not.toContain('First run');
  expect(text.endsWith('\n\n  Port 3000 is in use; the service uses port 3001.\n\n')).toBe(true);
});

it('the startup summary describes the role of a process', () => {
  const database = { dialect: 'postgres', url: 'postgres://db.example/flows' } as const;
  const of = (role: Startup['role']): string =>
    startupSummary({
      ...FIRST,
      setUp: null,
      role,
      database,
      redisUrl: 'redis://:secret@redis.example:6380/1',
    });
  expect(of('worker')).toBe(`  Workflow Service 1.0.0                                 ready in 2.4 s

  Worker       runs executions                 another process serves the API
  Probes       http://127.0.0.1:3000/health/ready
  Data         Postgres db.example/flows
  Redis        redis.example:6380

`);
  expect(of('api')).toContain('  Executions   run in processes with ROLE=worker\n');
});

it('the startup summary explains why the dashboard is unavailable', () => {
  expect(startupSummary({ ...FIRST, setUp: null, dashboardMissingBecause: 'it was not built' })).toMatch(
    /\n\n {2}The dashboard is missing: it was not built\. "npm run build" builds it\.\n\n$/,
  );
});

it('the startup summary aligns its notes in one column', () => {
  const baseUrl = 'https://workflows.a-long-name.example.com';
  const lines = startupSummary({ ...FIRST, baseUrl }).split('\n');
  const columns = ['docs /swagger', '(set DATABASE_URL'].map((note) =>
    lines.find((line) => line.includes(note))?.indexOf(note),
  );
  expect(new Set(columns).size).toBe(1);
  expect(lines).toContain(`  Events       wss://workflows.a-long-name.example.com/ws`);
});

it('the startup summary shows relative paths, and database URLs without credentials', () => {
  expect(dataLine({ dialect: 'sqlite', path: resolve('x/y.sqlite') })).toContain(' ./x/y.sqlite ');
  expect(dataLine({ dialect: 'sqlite', path: '/elsewhere/y.sqlite' })).toContain(' /elsewhere/y.sqlite ');
  expect(dataLine({ dialect: 'sqlite', path: '../y.sqlite' })).toContain(` ${resolve('../y.sqlite')} `);
  expect(dataLine({ dialect: 'postgres', url: 'postgres://me:secret@db.example:5433/work%20flow' })).toBe(
    '  Data         Postgres db.example:5433/work flow',
  );
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['::1', 'http://[::1]:80'],
  ['flows.example', 'http://flows.example:80'],
])('the local URL of the listen address %s is %s', (host, url) => {
  expect(localUrl(host, 80)).toBe(url);
});
