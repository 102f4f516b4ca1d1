import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Encryption } from '../../src/encryption/index.js';
import { sealContext } from '../../src/secrets/secret.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const VALUE = 'pa55-wörd/+ "quoted"';
const KEY = 'dGhlIGZpcnN0IGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0=';

describe.each(await databaseKinds())('secrets on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;
  let names = 0;

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({ database: database.settings, environment: { SECRETS_KEY: KEY } });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function secret(value = VALUE): Promise<{ readonly id: string; readonly name: string }> {
    const name = `SECRET_${(names += 1)}`;
    const { status, body } = await service.post('/v1/secrets', { name, value });
    expect(status).toBe(201);
    return { id: body.id, name };
  }

  function sealedAs(id: string, value: string): { readonly sealed: string } {
    return { sealed: service.app.get(Encryption, { strict: false }).seal(value, sealContext(id)) };
  }

  async function workflow(nodes: readonly object[], more: object = {}): Promise<string> {
    const { status, body } = await service.post('/v1/workflows', { name: 'Uses secrets', nodes, ...more });
    expect(status).toBe(201);
    return body.id;
  }

  it('creating a secret returns every documented field, but not the value of the secret', async () => {
    const { status, body, headers } = await service.post('/v1/secrets', {
      name: 'PAYMENT_KEY',
      value: VALUE,
      description: 'Of the payment service.',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/secrets/${body.id}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.any(String),
      project_id: service.project.id,
      name: 'PAYMENT_KEY',
      description: 'Of the payment service.',
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      last_used_at: null,
    });
  });

  it('the database stores a secret encrypted, together with the id of the encryption key', async () => {
    const { id } = await secret();
    const [row] = await service.app
      .get(DataSource, { strict: false })
      .query<readonly { readonly sealed: string }[]>(`SELECT sealed FROM secrets WHERE id = '${id}'`);
    expect(row?.sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
  });

  it('a project cannot have two secrets with the same name', async () => {
    const { name } = await secret();
    const second = await service.post('/v1/secrets', { name, value: VALUE });
    expect([second.status, second.error.code]).toEqual([409, 'secret_exists']);
    const other = await service.newProject();
    const elsewhere = await service.post('/v1/secrets', { name, value: VALUE, project_id: other.id });
    expect(elsewhere.status).toBe(201);
  });

  it.each<[string, object, string]>([
    ['a name in lower case', { name: 'key', value: 'v' }, 'name'],
    ['a name that starts with a digit', { name: '1KEY', value: 'v' }, 'name'],
    ['a name of 65 characters', { name: 'K'.repeat(65), value: 'v' }, 'name'],
    ['no value', { name: 'KEY' }, 'value'],
    ['an empty value', { name: 'KEY', value: '' }, 'value'],
    ['a value that is not a string', { name: 'KEY', value: 5 }, 'value'],
    ['a value of more than 64 KiB in UTF-8', { name: 'KEY', value: 'ä'.repeat(32_769) }, 'value'],
    ['an unknown field', { name: 'KEY', value: 'v', secret: 1 }, 'secret'],
  ])('the service rejects a new secret with an invalid or missing field: %s', async (_, body, field) => {
    const { status, error } = await service.post('/v1/secrets', body);
    expect([status, error.details?.['field']]).toEqual([400, field]);
  });

  it('the service accepts a secret with a value of 64 KiB and a name of 64 characters', async () => {
    const { status } = await service.post('/v1/secrets', {
      name: 'K'.repeat(64),
      value: 'ä'.repeat(32_768),
    });
    expect(status).toBe(201);
  });

  it('repeating a create request for a secret with the same Idempotency-Key returns the first response', async () => {
    const body = { name: 'ONCE', value: VALUE };
    const headers = { 'idempotency-key': 'create-once' };
    const first = await service.post('/v1/secrets', body, { headers });
    const second = await service.post('/v1/secrets', body, { headers });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const other = await service.post('/v1/secrets', { ...body, value: 'another' }, { headers });
    expect([other.status, other.error.type]).toEqual([422, 'idempotency_error']);
  });

  it('a new value increments the version of a secret, but a new description does not', async () => {
    const { id } = await secret();
    const described = await service.patch(`/v1/secrets/${id}`, { description: 'New.' });
    expect([described.status, described.body['version'], described.headers.get('etag')]).toEqual([
      200,
      1,
      '"2"',
    ]);
    const changed = await service.patch(`/v1/secrets/${id}`, { value: 'other value' });
    expect(changed.body).toMatchObject({ version: 2, description: 'New.' });
    const renamed = await service.patch(`/v1/secrets/${id}`, { name: 'OTHER' });
    expect([renamed.status, renamed.error.details?.['field']]).toEqual([400, 'name']);
  });

  it('a change or deletion of a secret with an outdated If-Match header returns 412', async () => {
    const { id } = await secret();
    const headers = { 'if-match': '"1"' };
    expect((await service.patch(`/v1/secrets/${id}`, { value: 'a-value' }, { headers })).status).toBe(200);
    const lost = await service.patch(`/v1/secrets/${id}`, { value: 'b-value' }, { headers });
    expect([lost.status, lost.error.type]).toEqual([412, 'precondition_failed_error']);
    expect((await service.delete(`/v1/secrets/${id}`, { headers })).status).toBe(412);
    expect((await service.delete(`/v1/secrets/${id}`, { headers: { 'if-match': '"2"' } })).status).toBe(204);
    expect((await service.get(`/v1/secrets/${id}`)).status).toBe(404);
  });

  it('secrets can be listed by project, by exact name, and by part of the name or description', async () => {
    const project = await service.newProject();
    for (const [name, description] of [
      ['ALPHA_KEY', 'first'],
      ['BETA_KEY', '100% of it'],
      ['GAMMA', 'alpha too'],
    ] as const)
      await service.post('/v1/secrets', { name, description, value: VALUE, project_id: project.id });
    const found = async (query: string): Promise<readonly unknown[]> => {
      const { body } = await service.get<{ data: readonly { name: string }[] }>(
        `/v1/secrets?project_id=${project.id}&order=asc${query}`,
      );
      return body.data.map(({ name }) => name);
    };
    expect(await found('')).toEqual(['ALPHA_KEY', 'BETA_KEY', 'GAMMA']);
    expect(await found('&q=alpha')).toEqual(['ALPHA_KEY', 'GAMMA']);
    expect(await found('&q=0%25')).toEqual(['BETA_KEY']);
    expect(await found('&name=BETA_KEY')).toEqual(['BETA_KEY']);
    expect(await found('&name=BETA')).toEqual([]);
  });

  it('the audit log records every change of a secret without the value of the secret', async () => {
    const { id, name } = await secret();
    await service.patch(`/v1/secrets/${id}`, { value: 'other value' });
    await service.delete(`/v1/secrets/${id}`);
    const { body } = await service.get<{ data: readonly Record<string, unknown>[] }>(
      `/v1/audit-log?target=${id}&order=asc`,
    );
    expect(body.data).toMatchObject([
      { action: 'secret.created', after: { name, version: 1 } },
      { action: 'secret.updated', before: { version: 1 }, after: { version: 2 } },
      { action: 'secret.deleted', before: { name, version: 2 } },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/pa55|other value/);
  });

  it('the scope secrets:read allows a key to read a secret without its value, but not to change it', async () => {
    const { id } = await secret();
    const reader = await service.newKey({ scopes: ['secrets:read'] });
    const read = await service.get(`/v1/secrets/${id}`, { key: reader });
    expect([read.status, 'value' in read.body]).toEqual([200, false]);
    const write = await service.patch(`/v1/secrets/${id}`, { value: 'x' }, { key: reader });
    expect([write.status, write.error.details?.['required_scope']]).toEqual([403, 'secrets:write']);
    const none = await service.newKey({ scopes: ['workflows:write'] });
    expect((await service.get('/v1/secrets', { key: none })).status).toBe(403);
  });

  describe('a node attempt with a secret', () => {
    /** Runs a workflow to its end. @returns the ended execution with its nodes */
    async function run(workflowId: string): Promise<Readonly<Record<string, unknown>>> {
      const { body } = await service.post(`/v1/workflows/${workflowId}/executions?wait=30`, {});
      expect(body['finished_at']).toEqual(expect.any(String));
      const { body: nodes } = await service.get<{ readonly data: readonly object[] }>(
        `/v1/executions/${body.id}/nodes`,
      );
      return { ...body, nodes: nodes.data };
    }

    it('a node receives the value of a secret, but recorded data contains only `[secret NAME]`', async () => {
      const { name } = await secret('1234-value');
      const id = await workflow([
        { id: 'call', type: 'set', with: { value: `Bearer {{ secrets.${name} }}` } },
        { id: 'is_right', type: 'set', with: { value: `{{ secrets.${name} == '1234-value' }}` } },
      ]);
      const execution = await run(id);
      expect(execution).toMatchObject({
        status: 'completed',
        output: { call: `Bearer [secret ${name}]`, is_right: true },
        nodes: [{ input: { value: `Bearer [secret ${name}]` } }, { input: { value: false } }],
      });
    });

    it('an execution uses the new value of a secret after the API or another process changed it', async () => {
      const { id, name } = await secret('first-value');
      const flow = await workflow([
        { id: 'size', type: 'set', with: { value: `{{ size(secrets.${name}) }}` } },
      ]);
      expect(await run(flow)).toMatchObject({ output: 11 });
      await service.patch(`/v1/secrets/${id}`, { value: 'second-value' });
      expect(await run(flow)).toMatchObject({ output: 12 });
      const { sealed } = sealedAs(id, 'third');
      await service.app
        .get(DataSource, { strict: false })
        .query(`UPDATE secrets SET sealed = '${sealed}' WHERE id = '${id}'`);
      expect(await run(flow)).toMatchObject({ output: 5 });
    });

    it('a node that uses a missing secret fails with `secret_not_found` without a retry', async () => {
      const flow = await workflow([
        {
          id: 'call',
          type: 'set',
          with: { value: '{{ secrets.NEVER_MADE }}' },
          retry: { max_attempts: 3, initial_delay_ms: 1 },
        },
      ]);
      expect(await run(flow)).toMatchObject({
        status: 'failed',
        error: { type: 'secret_not_found', node_id: 'call', message: expect.stringContaining('NEVER_MADE') },
        nodes: [{ attempt: 1 }],
      });
    });

    it('a node fails with `secret_unavailable` if the service lacks the encryption key of the secret', async () => {
      const { id, name } = await secret();
      await service.app
        .get(DataSource, { strict: false })
        .query(`UPDATE secrets SET sealed = 'v1.00000000.AAAA.AAAA' WHERE id = '${id}'`);
      const flow = await workflow([{ id: 'call', type: 'set', with: { value: `{{ secrets.${name} }}` } }]);
      expect(await run(flow)).toMatchObject({ error: { type: 'secret_unavailable' } });
    });

    it('a node cannot use a secret of another project', async () => {
      const other = await service.newProject();
      await service.post('/v1/secrets', { name: 'ELSEWHERE', value: VALUE, project_id: other.id });
      const flow = await workflow([{ id: 'call', type: 'set', with: { value: '{{ secrets.ELSEWHERE }}' } }]);
      expect(await run(flow)).toMatchObject({ error: { type: 'secret_not_found' } });
    });

    it('one expression can combine a secret with a node output of more than 16 KiB', async () => {
      const { name } = await secret('long-value');
      const flow = await workflow([
        { id: 'long', type: 'transform', with: { expression: '$join([1..20000].$string())' } },
        {
          id: 'both',
          type: 'set',
          with: { value: `{{ size(secrets.${name}) + size(nodes.long.output) }}` },
        },
      ]);
      expect(await run(flow)).toMatchObject({ status: 'completed', output: 88_904 });
    });

    it('a node reuses a cached result only while the value of its secret is the same', async () => {
      const { id, name } = await secret('cached-value');
      const flow = await workflow(
        [
          {
            id: 'seen',
            type: 'transform',
            with: { input: `{{ secrets.${name} }}`, expression: '$length($) & $' },
          },
        ],
        { config: { cache_enabled: true } },
      );
      const cached = async (): Promise<unknown> => {
        const { output, nodes } = await run(flow);
        return [output, (nodes as readonly { readonly cached: boolean }[])[0]?.cached];
      };
      expect(await cached()).toEqual([`12[secret ${name}]`, false]);
      expect(await cached()).toEqual([`12[secret ${name}]`, true]);
      await service.patch(`/v1/secrets/${id}`, { value: 'another-value' });
      expect(await cached()).toEqual([`13[secret ${name}]`, false]);
    });

    it('a node that uses a secret updates the field last_used_at of the secret', async () => {
      const { id, name } = await secret();
      await run(await workflow([{ id: 'call', type: 'set', with: { value: `{{ secrets.${name} }}` } }]));
      await until('last_used_at', async () => {
        const { body } = await service.get(`/v1/secrets/${id}`);
        return body['last_used_at'] !== null && body['version'] === 1;
      });
    });

    it('a child execution receives `[secret NAME]` instead of the value of a secret', async () => {
      const { name } = await secret('parent-value');
      const child = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
      const flow = await workflow([
        { id: 'call', type: 'workflow', with: { workflow_id: child, input: `k {{ secrets.${name} }}` } },
      ]);
      expect(await run(flow)).toMatchObject({ output: `k [secret ${name}]` });
    });
  });

  describe('a workflow that uses a secret', () => {
    const uses = (name: string): readonly object[] => [
      { id: 'call', type: 'set', with: { value: `Bearer {{ secrets.${name} }}` } },
    ];

    it('a secret that an active workflow uses can be deleted only with ?force=true', async () => {
      const { id, name } = await secret();
      const active = await workflow(uses(name));
      await workflow(uses(name), { status: 'draft' });
      await workflow(uses(`${name}_OTHER`));
      await workflow([{ id: 'text', type: 'set', with: { value: `not secrets.${name}` } }]);
      const refused = await service.delete(`/v1/secrets/${id}`);
      expect([refused.status, refused.error.code]).toEqual([409, 'secret_in_use']);
      expect(refused.error.details).toEqual({
        used_by: [{ type: 'workflow', id: active, name: 'Uses secrets' }],
      });
      expect((await service.delete(`/v1/secrets/${id}?force=true`)).status).toBe(204);
    });

    it('a secret cannot be deleted if a node inside a loop uses the secret', async () => {
      const { id, name } = await secret();
      await workflow([{ id: 'each', type: 'foreach', with: { items: [1], nodes: uses(name) } }]);
      expect((await service.delete(`/v1/secrets/${id}`)).status).toBe(409);
    });

    it('creating a workflow that uses an unknown secret returns a warning', async () => {
      const warnings = [
        {
          path: 'nodes[0].with.value',
          code: 'unknown_secret',
          message: expect.stringContaining('NOT_THERE'),
        },
      ];
      const saved = await service.post('/v1/workflows', { name: 'Warned', nodes: uses('NOT_THERE') });
      expect([saved.status, saved.body['warnings']]).toEqual([201, warnings]);
      const changed = await service.patch(`/v1/workflows/${saved.body.id}`, { description: 'Still.' });
      expect(changed.body['warnings']).toEqual(warnings);
      expect((await service.get(`/v1/workflows/${saved.body.id}`)).body).not.toHaveProperty('warnings');
      const { name } = await secret();
      const fine = await service.patch(`/v1/workflows/${saved.body.id}`, { nodes: uses(name) });
      expect([fine.status, 'warnings' in fine.body]).toEqual([200, false]);
    });

    it('the validation of a workflow returns both errors and warnings', async () => {
      const nodes = [...uses('NOT_THERE'), { id: 'other', type: 'no_such_type' }];
      const { body } = await service.post('/v1/workflows/validate', { name: 'Checked', nodes });
      expect(body).toMatchObject({
        valid: false,
        errors: [{ field: 'nodes[1].type', code: 'unknown_node_type' }],
        warnings: [{ path: 'nodes[0].with.value', code: 'unknown_secret' }],
      });
      const fine = await service.post('/v1/workflows/validate', { name: 'Checked', nodes: [] });
      expect(fine.body).toEqual({ valid: true, errors: [], warnings: [] });
    });
  });
});

it('the service does not encrypt a secret with the key of an empty key file and returns 503', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'workflow-service-'));
  const path = join(directory, 'secrets.key');
  await writeFile(path, '\n');
  const service = await TestService.start({
    environment: { DATA_DIR: directory, DATABASE_URL: `sqlite://${join(directory, 'workflow.sqlite')}` },
  });
  try {
    const { status, error } = await service.post('/v1/secrets', { name: 'KEY', value: VALUE });
    expect([status, error.type, error.code]).toEqual([503, 'unavailable_error', 'secrets_key_missing']);
    await rm(path);
    expect((await service.post('/v1/secrets', { name: 'KEY', value: VALUE })).status).toBe(201);
    expect(Buffer.from(await readFile(path, 'utf8'), 'base64')).toHaveLength(32);
  } finally {
    await service.stop();
    await rm(directory, { recursive: true });
  }
});

it('the service cannot create a secret on PostgreSQL without SECRETS_KEY and returns 503', async () => {
  const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
  if (postgres === undefined) return;
  const database = await postgres.create();
  const service = await TestService.start({ database: database.settings });
  try {
    const { status, error, headers } = await service.post('/v1/secrets', { name: 'KEY', value: VALUE });
    expect([status, error.type, error.code]).toEqual([503, 'unavailable_error', 'secrets_key_missing']);
    expect(headers.has('retry-after')).toBe(true);
  } finally {
    await service.stop();
    await database.drop();
  }
});
