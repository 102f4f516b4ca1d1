import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { PluginFolder } from '../support/plugin-folder.js';
import { ServiceProcess } from '../support/service-process.js';
import { SocketClient } from '../support/socket-client.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';

interface Note {
  readonly text: string;
}
interface Notes {
  readonly data: readonly Note[];
  readonly pagination: { readonly total: number };
}
interface Refusal {
  readonly error: { readonly type: string; readonly details?: { readonly field?: string } };
}

const databases = await databaseKinds();

let folder: string;
let example: PluginFolder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workflow-modules-'));
  example = PluginFolder.copy('examples/plugins/notes', join(folder, 'notes'));
  example.compile();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the example plug-in with a Nest module', () => {
  it('the example plug-in with a Nest module passes lint and its own tests', () => {
    example.lint();
    example.test();
  });

  describe.each(databases)('on $name', ({ create }) => {
    let database: TestDatabase;
    let service: ServiceProcess;
    beforeAll(async () => {
      database = await create();
      service = new ServiceProcess({
        WORKFLOW_PLUGINS: example.path,
        DATABASE_URL: databaseUrl(database.settings),
      });
      await service.start();
    });
    afterEach(() => SocketClient.cutAll());
    afterAll(async () => {
      await service?.dispose();
      await database?.drop();
    });

    const call = (method: string, path: string, body?: unknown, key = service.token): Promise<Response> =>
      fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const notes = async (): Promise<readonly string[]> => {
      const { data } = (await (await call('GET', '/v1/notes?limit=100')).json()) as Notes;
      return data.map(({ text }) => text);
    };

    it('the route /v1/notes of the example plug-in has authentication, validation, pagination and OpenAPI docs', async () => {
      const made = await call('POST', '/v1/notes', { text: 'Call Ada' });
      expect([made.status, await made.json()]).toEqual([
        201,
        expect.objectContaining({ text: 'Call Ada', created_at: expect.stringMatching(/Z$/) as string }),
      ]);
      const refused = await call('POST', '/v1/notes', { text: '', color: 'red' });
      expect([refused.status, ((await refused.json()) as Refusal).error.type]).toEqual([
        400,
        'validation_error',
      ]);
      expect((await call('POST', '/v1/notes', { text: 'x' }, 'wf_test_wrong')).status).toBe(401);
      const page = (await (await call('GET', '/v1/notes?limit=1')).json()) as Notes;
      expect([page.data.length, page.pagination.total]).toEqual([1, 1]);
      expect(await (await call('GET', '/openapi.json')).json()).toMatchObject({
        paths: { '/v1/notes': { post: { operationId: 'createNote', tags: ['notes'] } } },
        components: { schemas: { CreateNoteBody: { properties: { text: { maxLength: 1_000 } } } } },
      });
    });

    it('the example plug-in adds a note when its node runs, and another note when an execution fails', async () => {
      const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', {
        name: 'notes',
        nodes: [
          { id: 'note', type: 'notes.add', with: { text: '{{ input.text }}' } },
          { id: 'fail', type: 'fail', with: { message: 'After {{ nodes.note.output.text }}' } },
        ],
      });
      const execution = await service.call<{ id: string; status: string }>(
        'POST',
        `/v1/workflows/${id}/execute?wait=60`,
        { input: { text: 'From a node' } },
      );
      expect(execution.status).toBe('failed');
      const found = await until('the note of the failure', async () => {
        const texts = await notes();
        return texts.includes(`The execution ${execution.id} failed.`) && texts;
      });
      expect(found.filter((text) => text === 'From a node')).toHaveLength(1);
    });

    it('the example plug-in replies to WebSocket messages, and rejects messages on a socket without a key', async () => {
      const host = new URL(service.url).host;
      const ask = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
        const client = await SocketClient.open(host, headers, '/notes');
        client.socket.send(JSON.stringify({ event: 'notes.count' }));
        return until('a response', () => client.received[0]);
      };
      const total = (await notes()).length;
      expect(await ask({ authorization: `Bearer ${service.token}` })).toEqual({
        event: 'notes.count',
        data: total,
      });
      expect(await ask({})).toMatchObject({ event: 'exception', data: { status: 'error' } });
    });

    it('the example plug-in responds 429 beyond the limit that @Throttle sets for its route', async () => {
      const statuses: number[] = [];
      for (let request = 0; request < 62; request += 1)
        statuses.push((await call('POST', '/v1/notes', { text: `Note ${request}` })).status);
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(60);
      expect((await call('GET', '/v1/notes')).status).toBe(200);
    });

    it('the example plug-in keeps its rows after a restart, and `migrate status` lists its migration as applied', async () => {
      const before = await notes();
      await service.terminate();
      await service.start();
      expect(await notes()).toEqual(before);
      const settings = { WORKFLOW_PLUGINS: example.path, DATABASE_URL: databaseUrl(database.settings) };
      const status = new SpawnedProgram('dist/src/cli/main.js', folder, settings, ['migrate', 'status']);
      await status.ended;
      expect(status.out).toContain('applied  notes: CreateNotes1764000000000');
    });

    it('the CLI command `migrate down` does not revert the migrations of plug-ins, and lists these migrations as kept', async () => {
      await service.terminate();
      const settings = { WORKFLOW_PLUGINS: example.path, DATABASE_URL: databaseUrl(database.settings) };
      const down = new SpawnedProgram('dist/src/cli/main.js', folder, settings, ['migrate', 'down']);
      await down.ended;
      expect(down.out).toContain('reverted');
      expect(down.out).toContain('kept     notes: CreateNotes1764000000000');
    });
  });
});

const postgres = databases.find(({ name }) => name === 'postgres');

it.runIf(postgres !== undefined)(
  'the CLI command `migrate --from --to` copies tables of plug-ins, and fails if WORKFLOW_PLUGINS lacks the plug-ins',
  async () => {
    const before = new ServiceProcess({ WORKFLOW_PLUGINS: example.path });
    const database = await postgres?.create();
    try {
      await before.start();
      await before.call('POST', '/v1/notes', { text: 'Moves along' });
      await before.terminate();
      const url = database === undefined ? '' : databaseUrl(database.settings);
      const words = ['migrate', '--from', join(before.directory, 'workflow.sqlite'), '--to', url];
      const without = new SpawnedProgram('dist/src/cli/main.js', folder, {}, words);
      expect((await without.ended).code).toBe(1);
      expect(without.err).toContain('Add their plug-ins to WORKFLOW_PLUGINS');
      const settings = { WORKFLOW_PLUGINS: example.path };
      const moved = new SpawnedProgram('dist/src/cli/main.js', folder, settings, words);
      expect((await moved.ended).code, moved.err).toBe(0);
      const after = new ServiceProcess({ ...settings, DATABASE_URL: url }, before.token);
      try {
        await after.start();
        expect(await after.call('GET', '/v1/notes')).toMatchObject({ data: [{ text: 'Moves along' }] });
      } finally {
        await after.dispose();
      }
    } finally {
      await before.dispose();
      await database?.drop();
    }
  },
);

describe('global providers of a plug-in', () => {
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    const path = join(folder, 'policies');
    mkdirSync(path, { recursive: true });
    writeFileSync(
      join(path, 'package.json'),
      JSON.stringify({ name: 'policies', type: 'module', exports: './entry.js' }),
    );
    writeFileSync(join(path, 'entry.js'), POLICIES);
    service = new ServiceProcess({ WORKFLOW_PLUGINS: path });
    await service.start();
  });
  afterAll(() => service?.dispose());

  it('the validation of a workflow finds the secrets of a plug-in, and responds 503 while its secret provider fails', async () => {
    const validate = (secret: string): Promise<Response> => {
      const node = { id: 'a', type: 'set', with: { value: `{{ secrets.${secret} }}` } };
      return fetch(`${service?.url}/v1/workflows/validate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service?.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'test', nodes: [node] }),
      });
    };
    const known = await validate('VAULT_TOKEN');
    expect([known.status, await known.json()]).toMatchObject([200, { warnings: [] }]);
    const sealed = await validate('SEALED');
    expect([sealed.status, await sealed.json()]).toMatchObject([
      503,
      { error: { code: 'secret_unavailable', message: expect.stringContaining('The vault is sealed.') } },
    ]);
  });

  it("guards, interceptors, pipes and exception filters of a plug-in apply to the service's own routes", async () => {
    const call = (headers: Readonly<Record<string, string>>, path = '/v1/workflows'): Promise<Response> =>
      fetch((service?.url ?? '') + path, {
        headers: { authorization: `Bearer ${service?.token}`, ...headers },
      });
    const answered = await call({});
    expect([answered.status, answered.headers.get('x-team')]).toEqual([200, 'platform']);
    expect((await call({ 'x-blocked': 'guard' })).status).toBe(403);
    const filtered = await call({ 'x-blocked': 'filter' });
    expect([filtered.status, await filtered.json()]).toMatchObject([403, { error: { code: 'team_policy' } }]);
    expect((await call({}, '/v1/workflows?q=forbidden')).status).toBe(400);
    // The plug-in and the service share the same Nest classes, so the service recognizes HTTP exceptions of the
    // plug-in.
    expect(((await (await call({ 'x-blocked': 'guard' })).json()) as Refusal).error.type).toBe(
      'permission_error',
    );
  });
});

/** Source code of a plug-in in JavaScript without packages of its own. */
const POLICIES = `
import { BadRequestException, Catch, ForbiddenException, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { definePlugin, SecretSource } from 'workflow-service/module';

class TeamError extends Error {}
const REFUSAL = { error: { type: 'permission_error', code: 'team_policy', message: 'Blocked.', request_id: 'none' } };
const guard = { canActivate(context) {
  const blocked = context.switchToHttp().getRequest().headers['x-blocked'];
  if (blocked === 'guard') throw new ForbiddenException('Blocked by the team.');
  if (blocked === 'filter') throw new TeamError();
  return true;
} };
const interceptor = { intercept(context, next) {
  context.switchToHttp().getResponse().setHeader('x-team', 'platform');
  return next.handle();
} };
const pipe = { transform(value) {
  if (value?.q === 'forbidden') throw new BadRequestException('Forbidden by the team.');
  return value;
} };
class TeamFilter { catch(_error, host) { host.switchToHttp().getResponse().status(403).json(REFUSAL); } }
Catch(TeamError)(TeamFilter);
class Vault {
  async read(_project, names) { return new Map(names.map((name) => [name, 'value'])); }
  async existing(_project, names) {
    if (names.includes('SEALED')) throw new Error('The vault is sealed.');
    return new Set(names);
  }
}
SecretSource({ name: 'vault' })(Vault);
class Policies {}
Module({ providers: [
  Vault,
  { provide: APP_GUARD, useValue: guard },
  { provide: APP_INTERCEPTOR, useValue: interceptor },
  { provide: APP_PIPE, useValue: pipe },
  { provide: APP_FILTER, useClass: TeamFilter },
] })(Policies);
export const plugin = definePlugin({ apiVersion: 1, modules: [Policies] });
`;
