import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../test/support/database.js';
import { KeysService } from '../keys/index.js';
import { TeamsService } from '../teams/index.js';
import { runProgram } from './program.js';
import type { Terminal } from './terminal.js';
import { withApplication } from './with-application.js';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let environment: Record<string, string>;

async function run(...words: readonly string[]): Promise<Run> {
  let [out, err] = ['', ''];
  const code = await runProgram(words, {
    environment: () => environment,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

/** A `Terminal` that discards all output. */
function terminal(): Terminal {
  return { environment: () => environment, out: () => undefined, err: () => undefined };
}

beforeEach(() => {
  environment = {};
});

describe.each(await databaseKinds())('the command line on $name', ({ create }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await create();
    const { settings } = database;
    environment['DATABASE_URL'] = settings.dialect === 'sqlite' ? `sqlite://${settings.path}` : settings.url;
  });
  afterEach(() => database.drop());

  it('`bootstrap` creates the first admin of an empty service, and fails if an admin exists', async () => {
    const first = await run(
      'bootstrap',
      '--email',
      ' Admin@Example.com',
      '--password',
      'correct horse battery',
      '--json',
    );
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(first.out)).toMatchObject({
      user: { email: 'admin@example.com', name: 'admin' },
      team: { plan: 'enterprise' },
      project: { name: 'Default project' },
      key: expect.stringMatching(/^wfk_\w{36}$/),
    });
    const second = await run('bootstrap', '--email', 'other@example.com', '--json');
    expect(second).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^This service already has its first admin\./),
    });
  });

  it('`audit verify` succeeds on an intact audit log, as text and as JSON', async () => {
    await run('bootstrap', '--email', 'a@example.com');
    await run('keys', 'create', '--name', 'CI');
    expect(await run('audit', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/entries verified, \d+ not sealed yet, head/),
    });
    expect(JSON.parse((await run('audit', 'verify', '--json')).out)).toMatchObject({ broken: null });
  });

  it('`keys create` creates a key for the first owner of the service', async () => {
    expect(await run('keys', 'create', '--name', 'early')).toMatchObject({ code: 1, out: '' });
    const { project, user } = JSON.parse(
      (await run('bootstrap', '--email', 'a@example.com', '--json')).out,
    ) as {
      project: { id: string };
      user: { id: string };
    };
    const made = await run(
      'keys',
      'create',
      '--name',
      'CI',
      '--json',
      '--scopes',
      'workflows:read, executions:write',
      '--project',
      project.id,
      '--environment',
      'staging',
      '--expires',
      '30',
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({
      name: 'CI',
      scopes: ['workflows:read', 'executions:write'],
      project_id: project.id,
      user_id: user.id,
      environment: 'staging',
      plan: 'enterprise',
      expires_at: expect.stringMatching(/Z$/),
      key: expect.stringMatching(/^wfk_\w{36}$/),
    });
  });

  it('`keys create` refuses a key beyond the maximum number of keys per person', async () => {
    await run('bootstrap', '--email', 'a@example.com');
    await withApplication(terminal(), async (application) => {
      const keys = application.get(KeysService, { strict: false });
      const owner = await application.get(TeamsService, { strict: false }).firstOwner();
      if (owner === null) throw new Error('Nobody is set up.');
      const maker = { ...owner, projectId: null, scopes: ['*'] } as const;
      for (let count = 1; count < 100; count += 1) await keys.create(maker, { name: 'x' });
    });
    expect(await run('keys', 'create', '--name', 'one more')).toEqual({
      code: 1,
      out: '',
      err: 'A user may have at most 100 API keys. Delete one first.\n',
    });
  });

  it('`teams set-plan` sets the plan of a team and explains invalid arguments', async () => {
    const { team } = JSON.parse((await run('bootstrap', '--email', 'a@example.com', '--json')).out) as {
      team: { id: string };
    };
    expect(await run('teams', 'set-plan', team.id, 'pro')).toEqual({
      code: 0,
      out: 'Default team now has the plan pro.\n',
      err: '',
    });
    const again = await run('teams', 'set-plan', team.id.toUpperCase(), 'free', '--json');
    expect(JSON.parse(again.out)).toEqual({ id: team.id, name: 'Default team', plan: 'free' });
    const made = await run('keys', 'create', '--name', 'CI', '--json');
    expect(JSON.parse(made.out)).toMatchObject({ plan: 'free' });
    expect(await run('teams', 'set-plan', team.id, 'gold')).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be one of free, pro, enterprise'),
    });
    expect(await run('teams', 'set-plan', 'mine', 'pro')).toMatchObject({
      code: 1,
      err: '"mine" is not the id of a team. The id is a UUID.\n',
    });
    const unknown = '0199a8c0-6666-7abc-8def-0123456789ab';
    expect(await run('teams', 'set-plan', unknown, 'pro')).toMatchObject({
      code: 1,
      err: `The team ${unknown} does not exist.\n`,
    });
  });

  it('`keys create` creates production keys by default, like `POST /v1/keys`', async () => {
    await run('bootstrap', '--email', 'a@example.com');
    const made = await run('keys', 'create', '--name', 'CI', '--json');
    expect(JSON.parse(made.out)).toMatchObject({ environment: 'production' });
  });

  it('`keys create` creates keys that expire after 90 days by default, or never on request', async () => {
    await run('bootstrap', '--email', 'a@example.com');
    const expiry = async (...words: readonly string[]): Promise<string | null> => {
      const { out } = await run('keys', 'create', '--name', 'CI', '--json', ...words);
      return (JSON.parse(out) as { expires_at: string | null }).expires_at;
    };
    const days = (Date.parse((await expiry()) ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(await expiry('--expires', 'never')).toBeNull();
  });

  it.each([
    ['an unknown scope', 2, ['--scopes', 'workflows:fly']],
    ['an unknown environment', 2, ['--environment', 'moon']],
    ['an expiry of zero days', 2, ['--expires', '0']],
    ['an unknown option', 2, ['--color', 'red']],
    ['a project that does not exist', 1, ['--project', '018f4f6e-0000-7000-8000-000000000000']],
    ['a person that does not exist', 1, ['--email', 'nobody@example.com']],
  ])('`keys create` refuses %s', async (_, code, words) => {
    await run('bootstrap', '--email', 'a@example.com');
    const refused = await run('keys', 'create', '--name', 'x', '--json', ...words);
    expect(refused).toMatchObject({ code, out: '' });
    expect(refused.err).toMatch(/^[^\n]+\n$/);
  });

  it('`migrate status` succeeds, and `migrate` with an unknown direction exits with code 2', async () => {
    expect(await run('migrate', 'status')).toMatchObject({ code: 0, err: '' });
    expect(await run('migrate', 'sideways')).toMatchObject({ code: 2, out: '' });
  });
});

it('the command line prints its version, and `completion` prints a shell script that completes commands', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { code, out } = await run('completion');
  expect(code).toBe(0);
  expect(out).toMatch(/compgen -W "apply [^"]*\bexecutions\b/);
});

describe('config command', () => {
  it('`config` prints the settings with secrets masked', async () => {
    environment['DATABASE_URL'] = 'postgres://someone:hunter2@db.example/flow';
    environment['METRICS_TOKEN'] = 'a-long-enough-token';
    environment['TRUSTED_PROXIES'] = '10.0.0.1, 10.0.0.2';
    const { code, out } = await run('config');
    expect(code).toBe(0);
    expect(out).toContain('DATABASE_URL=postgres://someone:***@db.example/flow\n');
    expect(out).toContain('METRICS_TOKEN=***\n');
    expect(out).toContain('TRUSTED_PROXIES=10.0.0.1,10.0.0.2\n');
    expect(out).toContain('PORT=3000\n');
    expect(JSON.parse((await run('config', '--json')).out)).toMatchObject({
      PORT: 3000,
      METRICS_TOKEN: '***',
    });
  });

  it('`config` reports all invalid settings together', async () => {
    environment['PORT'] = 'many';
    environment['ROLE'] = 'king';
    const { code, out, err } = await run('config');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(
      err
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['PORT', 'ROLE']);
  });
});
