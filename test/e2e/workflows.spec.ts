import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { type TestAnswer, TestService } from '../support/service.js';
import { until } from '../support/until.js';

interface Workflow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly version: number;
  readonly config: JsonObject;
  readonly nodes: readonly JsonObject[];
  readonly tags: readonly string[];
  readonly input_schema?: JsonObject;
  readonly output?: Json;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Listed {
  readonly data: readonly Workflow[];
  readonly pagination: {
    readonly total: number;
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor?: string;
  };
}

interface Faults {
  readonly errors: readonly { readonly field: string; readonly code: string; readonly reason: string }[];
}

const SET = { id: 'a', type: 'set', with: { value: 1 } };

for (const kind of await databaseKinds())
  describe(`workflows on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings });
    });

    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    const create = async (body: JsonObject): Promise<Workflow> => {
      const { status, body: made } = await service.post<Workflow>('/v1/workflows', body);
      expect(status, JSON.stringify(made)).toBe(201);
      return made;
    };
    const list = async (query: string): Promise<Listed> => {
      const { status, body } = await service.get<Listed>(`/v1/workflows?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const fields = ({ error }: TestAnswer): readonly string[] =>
      (error.details as unknown as Faults).errors.map(({ field }) => field);

    describe('creation', () => {
      it('a workflow can be created with only a name, and all other fields get default values', async () => {
        const { status, headers, body } = await service.post<Workflow>('/v1/workflows', { name: 'plain' });
        expect(status).toBe(201);
        expect(headers.get('location')).toBe(`/v1/workflows/${body.id}`);
        expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
        expect(body).toEqual({
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          project_id: service.project.id,
          name: 'plain',
          description: '',
          status: 'active',
          version: 1,
          config: {
            cache_enabled: false,
            timeout_seconds: 300,
            timeout_counts: 'elapsed',
            deadline_seconds: null,
            max_concurrency: 16,
            max_running: null,
          },
          nodes: [],
          tags: [],
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: body.created_at,
        });
        expect((await service.get(`/v1/workflows/${body.id}`)).body).toEqual(body);
      });

      it('a saved workflow keeps every field exactly as sent, including non-Latin characters', async () => {
        const sent = {
          name: 'Grüße \u{1f44b} "quoted" \\ \u2028',
          description: 'x'.repeat(10_000),
          status: 'draft',
          config: { cache_enabled: true, timeout_seconds: 3600, max_concurrency: 1, max_running: 7 },
          input_schema: { type: 'object', properties: { n: { type: 'integer' } } },
          nodes: [
            {
              ...SET,
              name: 'Eins',
              retry: { max_attempts: 2, backoff: 'fixed' },
              timeout_seconds: 1,
              on_error: 'continue',
              cache: { ttl_seconds: 5 },
            },
          ],
          output: { all: '{{ nodes.a.output }}', zero: 0, empty: '', no: false },
          tags: ['one', 'Two.3:x-y_z', 'größe', '注文'],
        };
        const made = await create(sent);
        expect((await service.get(`/v1/workflows/${made.id}`)).body).toMatchObject(sent);
      });

      it.each<[string, JsonObject, string]>([
        ['no name', {}, 'name'],
        ['an empty name', { name: '' }, 'name'],
        ['a name that is too long', { name: 'x'.repeat(256) }, 'name'],
        ['a name that is not a string', { name: 5 }, 'name'],
        ['a description that is too long', { name: 'x', description: 'x'.repeat(10_001) }, 'description'],
        ['an unknown status', { name: 'x', status: 'deleted' }, 'status'],
        ['an unknown field', { name: 'x', color: 'red' }, 'color'],
        ['a read-only field', { name: 'x', id: newId() }, 'id'],
        ['an unknown field of config', { name: 'x', config: { speed: 1 } }, 'config.speed'],
        ['a timeout of zero', { name: 'x', config: { timeout_seconds: 0 } }, 'config.timeout_seconds'],
        [
          'a timeout that is too long',
          { name: 'x', config: { timeout_seconds: 3601 } },
          'config.timeout_seconds',
        ],
        [
          'a timeout that is not a number',
          { name: 'x', config: { timeout_seconds: '60' } },
          'config.timeout_seconds',
        ],
        [
          'a timeout with a fraction',
          { name: 'x', config: { timeout_seconds: 1.5 } },
          'config.timeout_seconds',
        ],
        [
          'a max_concurrency of zero',
          { name: 'x', config: { max_concurrency: 0 } },
          'config.max_concurrency',
        ],
        ['a max_running of zero', { name: 'x', config: { max_running: 0 } }, 'config.max_running'],
        [
          'a cache flag that is not a boolean',
          { name: 'x', config: { cache_enabled: 'yes' } },
          'config.cache_enabled',
        ],
        ['a config that is not an object', { name: 'x', config: [] }, 'config'],
        ['nodes that are not a list', { name: 'x', nodes: {} }, 'nodes'],
        ['a tag that contains a vertical bar', { name: 'x', tags: ['ok', 'a|b'] }, 'tags[1]'],
        ['an empty tag', { name: 'x', tags: [''] }, 'tags[0]'],
        ['too many tags', { name: 'x', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
        ['a tag that is not a string', { name: 'x', tags: [1] }, 'tags[0]'],
        ['a project id that is not a UUID', { name: 'x', project_id: 'x' }, 'project_id'],
        ['an invalid input schema', { name: 'x', input_schema: { type: 'nothing' } }, 'input_schema'],
        ['an input schema that is not an object', { name: 'x', input_schema: true }, 'input_schema'],
        [
          'an output that refers to an unknown node',
          { name: 'x', output: '{{ nodes.nobody.output }}' },
          'output',
        ],
        ['an output that does not parse', { name: 'x', output: '{{ 1 + }}' }, 'output'],
      ])('the service rejects a workflow with %s and names the invalid field', async (_, body, field) => {
        const answer = await service.post('/v1/workflows', body);
        expect(answer.status).toBe(400);
        expect(answer.error).toMatchObject({
          type: 'validation_error',
          details: { reason: expect.any(String) },
        });
        expect(answer.error.details?.['field']).toBe(field);
      });

      it.each<[string, readonly Json[], string, string]>([
        ['an unknown node type', [SET, { id: 'b', type: 'teleport' }], 'nodes[1].type', 'unknown_node_type'],
        [
          'a dependency on an unknown node',
          [SET, { id: 'b', type: 'set', needs: ['nobody'], with: { value: 1 } }],
          'nodes[1].needs[0]',
          'unknown_node',
        ],
        [
          'an expression that reads an unknown node',
          [{ id: 'b', type: 'set', with: { value: '{{ nodes.nobody.output }}' } }],
          'nodes[0].with.value',
          'unknown_node',
        ],
        [
          'a node that needs itself',
          [{ id: 'a', type: 'set', needs: ['a'], with: { value: 1 } }],
          'nodes[0].needs[0]',
          'self_reference',
        ],
        [
          'a node whose condition reads itself',
          [{ ...SET, if: 'nodes.a.output == 1' }],
          'nodes[0].if',
          'self_reference',
        ],
        ['a duplicate node id', [SET, SET], 'nodes[1].id', 'duplicate_node_id'],
        ['an invalid node id', [{ ...SET, id: 'A-1' }], 'nodes[0].id', 'invalid_node_id'],
        ['a node id that is too long', [{ ...SET, id: 'a'.repeat(65) }], 'nodes[0].id', 'invalid_node_id'],
        ['a node id from Object.prototype', [{ ...SET, id: '__proto__' }], 'nodes[0].id', 'invalid_node_id'],
        [
          'a condition that does not parse',
          [{ ...SET, if: 'input.n >' }],
          'nodes[0].if',
          'expression_syntax',
        ],
        [
          'a parameter that does not parse',
          [{ ...SET, with: { value: 'a {{ input. }} b' } }],
          'nodes[0].with.value',
          'expression_syntax',
        ],
        [
          'a missing parameter',
          [SET, SET, { id: 'c', type: 'http', with: {} }],
          'nodes[2].with.url',
          'required',
        ],
        [
          'an unknown parameter',
          [{ id: 'c', type: 'http', with: { url: 'http://x', verb: 'GET' } }],
          'nodes[0].with.verb',
          'unknown_field',
        ],
        ['a node without parameters', [{ id: 'c', type: 'fail' }], 'nodes[0].with.message', 'required'],
      ])(
        'the service rejects a workflow with %s and returns the field and an error code',
        async (_, nodes, field, code) => {
          const answer = await service.post('/v1/workflows', { name: 'x', nodes });
          expect(answer.status).toBe(400);
          const faults = (answer.error.details as unknown as Faults).errors;
          expect(faults, JSON.stringify(faults)).toContainEqual({ field, code, reason: expect.any(String) });
        },
      );

      it.each<[string, JsonObject, string]>([
        ['a retry with no attempts', { retry: { max_attempts: 0 } }, 'nodes[0].retry.max_attempts'],
        ['too many attempts', { retry: { max_attempts: 11 } }, 'nodes[0].retry.max_attempts'],
        ['a retry without max_attempts', { retry: {} }, 'nodes[0].retry.max_attempts'],
        ['an unknown backoff', { retry: { max_attempts: 2, backoff: 'random' } }, 'nodes[0].retry.backoff'],
        ['a node timeout that is too long', { timeout_seconds: 3601 }, 'nodes[0].timeout_seconds'],
        ['an unknown on_error', { on_error: 'ignore' }, 'nodes[0].on_error'],
        ['a cache TTL of zero', { cache: { ttl_seconds: 0 } }, 'nodes[0].cache.ttl_seconds'],
        ['a value of needs that is not a list', { needs: 'a' }, 'nodes[0].needs'],
        ['an unknown field of a node', { color: 'red' }, 'nodes[0].color'],
        ['parameters that are not an object', { with: [] }, 'nodes[0].with'],
        ['an entry of needs that is not a string', { needs: ['b', 'c', 7] }, 'nodes[0].needs[2]'],
        ['an entry of needs that names an unknown node', { needs: ['a', 'ghost'] }, 'nodes[0].needs[1]'],
      ])(
        'the service rejects a workflow node with %s and names the invalid field',
        async (_, part, field) => {
          const answer = await service.post('/v1/workflows', { name: 'x', nodes: [{ ...SET, ...part }] });
          expect(answer.status).toBe(400);
          expect(fields(answer)).toContain(field);
        },
      );

      it.each<[string, string]>([
        ['{"description":null}', 'description'],
        ['{"status":null}', 'status'],
        ['{"tags":null}', 'tags'],
        ['{"nodes":null}', 'nodes'],
        ['{"config":null}', 'config'],
        ['{"config":{"timeout_seconds":null}}', 'config.timeout_seconds'],
        ['{"config":{"max_concurrency":null}}', 'config.max_concurrency'],
        ['{"config":{"cache_enabled":null}}', 'config.cache_enabled'],
        ['{"nodes":[{"id":"a","type":"set","with":{"value":1},"retry":null}]}', 'nodes[0].retry'],
        ['{"nodes":[{"id":"a","type":"set","with":{"value":1},"needs":null}]}', 'nodes[0].needs'],
      ])('POST and PUT of a workflow reject a body with the null value in %s', async (text, field) => {
        const body = { name: 'nulls', ...(JSON.parse(text) as JsonObject) };
        const { id } = await create({ name: 'kept' });
        for (const answer of [
          await service.post('/v1/workflows', body),
          await service.request('PUT', `/v1/workflows/${id}`, { body }),
        ]) {
          expect(answer.status).toBe(400);
          expect(answer.error).toMatchObject({ type: 'validation_error', details: { field } });
        }
      });

      it('the error for a workflow with a cycle names the nodes of the cycle', async () => {
        const node = (id: string, need: string): JsonObject => ({
          id,
          type: 'set',
          needs: [need],
          with: { value: 1 },
        });
        const answer = await service.post('/v1/workflows', {
          name: 'x',
          nodes: [node('one', 'three'), node('two', 'one'), node('three', 'two'), SET],
        });
        expect(answer.status).toBe(400);
        const [fault, ...others] = (answer.error.details as unknown as Faults).errors;
        expect(others).toEqual([]);
        expect(fault).toMatchObject({
          code: 'cycle',
          reason: expect.stringContaining('one -> three -> two -> one'),
        });
      });

      it('a workflow can have 500 nodes, but not 501 nodes', async () => {
        const nodes = (count: number): JsonObject[] =>
          Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'set', with: { value: n } }));
        expect((await create({ name: 'full', nodes: nodes(500) })).nodes).toHaveLength(500);
        const answer = await service.post('/v1/workflows', { name: 'over', nodes: nodes(501) });
        expect(answer.status).toBe(400);
        expect(answer.error.details).toMatchObject({ field: 'nodes' });
      });

      it('one response reports all errors of an invalid workflow', async () => {
        const answer = await service.post('/v1/workflows', {
          name: '',
          config: { timeout_seconds: 0 },
          input_schema: { type: 'nothing' },
          nodes: [
            { id: 'a', type: 'set', with: { value: '{{ 1 + }}' }, retry: { max_attempts: 99 } },
            { id: 'b', type: 'teleport', needs: ['nobody'] },
            { id: 'c', type: 'http', with: { url: 5 }, if: ')' },
          ],
          output: '{{ nodes.ghost.output }}',
        });
        expect(answer.status).toBe(400);
        expect(fields(answer)).toEqual(
          expect.arrayContaining([
            'name',
            'config.timeout_seconds',
            'nodes[0].retry.max_attempts',
            'input_schema',
            'nodes[0].with.value',
            'nodes[1].type',
            'nodes[1].needs[0]',
            'nodes[2].with.url',
            'nodes[2].if',
            'output',
          ]),
        );
      });

      it('a workflow can have a name with a special meaning in JavaScript or SQL', async () => {
        for (const name of [
          '__proto__',
          'constructor',
          "'; DROP TABLE workflows --",
          '%_\\',
          '${x}',
          'null',
        ]) {
          const made = await create({
            name,
            tags: ['constructor'],
            nodes: [{ ...SET, with: { value: { constructor: { prototype: name }, toString: 1 } } }],
          });
          const read = await service.get<Workflow>(`/v1/workflows/${made.id}`);
          expect(read.body.name).toBe(name);
          expect(JSON.stringify(read.body.nodes)).toContain('"constructor":{"prototype"');
        }
      });
    });

    describe('validation without saving', () => {
      it('POST /v1/workflows/validate reports that a workflow is valid, and does not save the workflow', async () => {
        const before = (await list('limit=1')).pagination.total;
        const { status, body } = await service.post('/v1/workflows/validate', { name: 'x', nodes: [SET] });
        expect([status, body]).toEqual([200, { valid: true, errors: [], warnings: [] }]);
        expect((await list('limit=1')).pagination.total).toBe(before);
      });

      it('POST /v1/workflows/validate reports all errors of a workflow in one response', async () => {
        const { status, body } = await service.post<Faults & { readonly valid: boolean }>(
          '/v1/workflows/validate',
          {
            config: { timeout_seconds: 3601 },
            nodes: [
              { id: 'a', type: 'teleport' },
              { id: 'b', type: 'set', with: { value: 1 }, needs: ['b'], on_error: 'ignore' },
            ],
          },
        );
        expect(status).toBe(200);
        expect(body.valid).toBe(false);
        expect(body.errors.map(({ field }) => field).toSorted()).toEqual(
          [
            'config.timeout_seconds',
            'name',
            'nodes[0].type',
            'nodes[1].needs[0]',
            'nodes[1].on_error',
          ].toSorted(),
        );
      });

      it.each<[string, unknown]>([
        ['nodes that are not objects', { name: 'x', nodes: [1, null, 'x', []] }],
        ['empty nodes', { name: 'x', nodes: [{}] }],
        [
          'deeply nested parameters',
          {
            name: 'x',
            nodes: [{ ...SET, with: { value: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) as Json } }],
          },
        ],
        [
          'node types named like properties of Object.prototype',
          {
            name: 'x',
            nodes: [
              { ...SET, type: 'constructor' },
              { ...SET, id: 'b', type: '__proto__' },
            ],
          },
        ],
        [
          'needs named like properties of Object.prototype',
          { name: 'x', nodes: [{ ...SET, needs: ['constructor', '__proto__', 'toString'] }] },
        ],
      ])(
        'POST /v1/workflows/validate returns 200 even for a malformed workflow with %s',
        async (_, document) => {
          expect((await service.post('/v1/workflows/validate', document)).status).toBe(200);
        },
      );

      const node = (type: string, parameters: JsonObject): JsonObject => ({
        nodes: [{ id: 'a', type, with: parameters }],
      });
      const many = (count: number, value: Json): readonly Json[] =>
        Array.from({ length: count }, () => value);
      it.each<[string, JsonObject]>([
        ['nodes', { nodes: many(250_000, {}) }],
        ['nodes inside a loop', node('foreach', { items: [], nodes: many(250_000, []) })],
        ['invalid values', node('http', { url: 'http://x', accept_status: many(200_000, 'x') })],
        ['invalid expressions', node('set', { value: many(90_000, '{{+}}') })],
        ['invalid expressions in one string', node('set', { value: '{{+}}'.repeat(150_000) })],
        ['brackets in a program', node('transform', { expression: '('.repeat(200_000) })],
        ['brackets in a script', node('code', { source: '('.repeat(500_000) })],
      ])(
        'POST /v1/workflows/validate reports at most 1,000 errors for a workflow with very many %s',
        async (_, part) => {
          const { status, body } = await service.post<Faults & { readonly valid: boolean }>(
            '/v1/workflows/validate',
            { name: 'x', ...part },
          );
          expect([status, body.valid]).toEqual([200, false]);
          expect(body.errors.length).toBeGreaterThan(0);
          expect(body.errors.length).toBeLessThanOrEqual(1_000);
        },
      );
    });

    describe('replacement and change', () => {
      it('PUT resets omitted fields of a workflow to their defaults, but keeps the status', async () => {
        const { id } = await create({
          name: 'before',
          description: 'old',
          tags: ['t'],
          nodes: [SET],
          output: 1,
          config: { timeout_seconds: 5 },
        });
        const { status, body } = await service.request<Workflow>('PUT', `/v1/workflows/${id}`, {
          body: { name: 'after' },
        });
        expect(status).toBe(200);
        expect(body).toMatchObject({
          name: 'after',
          description: '',
          tags: [],
          nodes: [],
          version: 2,
          status: 'active',
          config: { timeout_seconds: 300 },
        });
        expect(body).not.toHaveProperty('output');
        expect((await service.get(`/v1/workflows/${id}`)).body).toEqual(body);
      });

      it('PUT accepts a workflow exactly as GET returned the workflow, but rejects an unknown field', async () => {
        const { id } = await create({
          name: 'round trip',
          nodes: [SET],
          tags: ['t'],
          input_schema: { type: 'object' },
          output: 1,
          config: { max_running: null },
        });
        expect((await service.post(`/v1/workflows/${id}/executions?wait=10`, { input: {} })).status).toBe(
          201,
        );
        const read = await service.get<Workflow & JsonObject>(`/v1/workflows/${id}`);
        const put = (body: object): Promise<TestAnswer<Workflow & JsonObject>> =>
          service.request<Workflow & JsonObject>('PUT', `/v1/workflows/${id}`, { body });
        const { last_execution: _, updated_at: __, ...kept } = read.body;
        expect(read.body).toHaveProperty('last_execution');
        const replaced = await put(read.body);
        expect([replaced.status, replaced.body]).toMatchObject([200, kept]);
        const other = await put({ ...read.body, id: newId(), version: 77, created_at: 'long ago' });
        expect([other.status, other.body]).toMatchObject([200, kept]);
        const refused = await put({ ...read.body, color: 'red' });
        expect([refused.status, refused.error.details?.['field']]).toEqual([400, 'color']);
      });

      it('GET of a workflow returns 304 if the If-None-Match header contains the current ETag', async () => {
        const { id } = await create({ name: 'tagged', nodes: [SET] });
        const read = await service.get(`/v1/workflows/${id}`);
        const etag = read.headers.get('etag') ?? '';
        const ask = (tag: string, method = 'GET'): Promise<TestAnswer> =>
          service.request(method, `/v1/workflows/${id}`, { headers: { 'if-none-match': tag } });
        for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const answer = await ask(tag);
          expect([answer.status, answer.body, answer.headers.get('etag')], tag).toEqual([304, null, etag]);
        }
        expect((await ask(etag, 'HEAD')).status).toBe(304);
        expect((await ask('"other"')).status).toBe(200);
        expect((await service.patch(`/v1/workflows/${id}`, { name: 'renamed' })).status).toBe(200);
        expect((await ask(etag)).status).toBe(200);
      });

      it('PATCH of a workflow keeps omitted fields, removes fields that are null and replaces lists', async () => {
        const { id } = await create({
          name: 'before',
          description: 'old',
          tags: ['a', 'b'],
          nodes: [SET],
          output: { x: 1 },
          input_schema: { type: 'object' },
          config: { timeout_seconds: 5, max_running: 3 },
        });
        const first = await service.patch<Workflow>(`/v1/workflows/${id}`, {
          config: { timeout_seconds: 9, max_running: null },
          output: { y: 2 },
        });
        expect(first.status).toBe(200);
        expect(first.body).toMatchObject({
          name: 'before',
          description: 'old',
          tags: ['a', 'b'],
          nodes: [SET],
          output: { x: 1, y: 2 },
          config: { timeout_seconds: 9, max_running: null },
          version: 2,
        });
        const reset = await service.patch<Workflow>(`/v1/workflows/${id}`, {
          config: { timeout_seconds: null },
        });
        expect([reset.status, reset.body.config]).toMatchObject([200, { timeout_seconds: 300 }]);
        const second = await service.patch<Workflow>(`/v1/workflows/${id}`, {
          tags: ['c'],
          description: null,
          input_schema: null,
          output: null,
        });
        expect(second.body).toMatchObject({ tags: ['c'], description: '', version: 4 });
        expect(second.body).not.toHaveProperty('input_schema');
        expect(second.body).not.toHaveProperty('output');
      });

      it('PATCH of a workflow accepts application/merge-patch+json and rejects an invalid result', async () => {
        const { id } = await create({ name: 'patched', nodes: [SET] });
        const typed = await service.patch<Workflow>(
          `/v1/workflows/${id}`,
          { description: 'x' },
          { headers: { 'content-type': 'application/merge-patch+json' } },
        );
        expect([typed.status, typed.body.description]).toEqual([200, 'x']);
        for (const [patch, field] of [
          [{ name: null }, 'name'],
          [{ config: { timeout_seconds: 0 } }, 'config.timeout_seconds'],
          [{ nodes: [{ ...SET, needs: ['a'] }] }, 'nodes[0].needs[0]'],
          [{ version: 5 }, 'version'],
          [{ project_id: newId() }, 'project_id'],
        ] as const) {
          const answer = await service.patch(`/v1/workflows/${id}`, patch);
          expect([answer.status, answer.error?.details?.['field']], JSON.stringify(patch)).toEqual([
            400,
            field,
          ]);
        }
        expect((await service.patch(`/v1/workflows/${id}`)).status).toBe(400);
        expect((await service.request('PUT', `/v1/workflows/${id}`)).status).toBe(400);
      });

      it('a workflow gets a new version only if its nodes, config, schema or output change', async () => {
        const { id } = await create({ name: 'versions', nodes: [SET] });
        await service.patch(`/v1/workflows/${id}`, { name: 'renamed', tags: ['x'], description: 'y' });
        await service.patch(`/v1/workflows/${id}`, { status: 'paused' });
        await service.patch(`/v1/workflows/${id}`, { config: { timeout_seconds: 300 } });
        expect((await service.get(`/v1/workflows/${id}`)).body).toMatchObject({ version: 1 });
        for (const [index, patch] of [
          { nodes: [{ ...SET, with: { value: 2 } }] },
          { config: { timeout_seconds: 7 } },
          { input_schema: { type: 'object' } },
          { output: 1 },
        ].entries())
          expect((await service.patch(`/v1/workflows/${id}`, patch)).body).toMatchObject({
            version: index + 2,
          });
        const versions = await service.get<{ data: JsonObject[]; pagination: JsonObject }>(
          `/v1/workflows/${id}/versions`,
        );
        expect(versions.body.data.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
        expect(versions.body.pagination).toMatchObject({ total: 5, has_more: false });
        const first = await service.get(`/v1/workflows/${id}/versions/1`);
        expect(first.body).toMatchObject({
          workflow_id: id,
          version: 1,
          nodes: [SET],
          created_by: service.admin.userId,
        });
        const page = await service.get<Listed>(`/v1/workflows/${id}/versions?limit=2&order=asc`);
        expect(page.body.data.map(({ version }) => version)).toEqual([1, 2]);
        const next = await service.get<Listed>(
          `/v1/workflows/${id}/versions?limit=2&order=asc&cursor=${page.body.pagination.next_cursor}`,
        );
        expect(next.body.data.map(({ version }) => version)).toEqual([3, 4]);
        expect((await service.get(`/v1/workflows/${id}/versions/6`)).status).toBe(404);
        for (const bad of ['0', '-1', 'x', '1.5', '99999999999', '1e3'])
          expect((await service.get(`/v1/workflows/${id}/versions/${bad}`)).status, bad).toBe(400);
      });

      it('a change or deletion of a workflow with an outdated If-Match header returns 412', async () => {
        const made = await service.post<Workflow>('/v1/workflows', { name: 'etag' });
        const path = `/v1/workflows/${made.body.id}`;
        const etag = made.headers.get('etag') ?? '';
        expect((await service.get(path)).headers.get('etag')).toBe(etag);
        const changed = await service.patch(path, { description: 'one' }, { headers: { 'if-match': etag } });
        expect(changed.status).toBe(200);
        const newEtag = changed.headers.get('etag') ?? '';
        expect(newEtag).not.toBe(etag);
        for (const method of ['PUT', 'PATCH', 'DELETE']) {
          const answer = await service.request(method, path, {
            headers: { 'if-match': etag },
            ...(method === 'DELETE' ? {} : { body: { name: 'lost' } }),
          });
          expect([answer.status, answer.error.type], method).toEqual([412, 'precondition_failed_error']);
        }
        expect(
          (await service.patch(path, { name: 'x' }, { headers: { 'if-match': 'unquoted' } })).status,
        ).toBe(400);
        expect((await service.patch(path, { name: 'x' }, { headers: { 'if-match': '*' } })).status).toBe(200);
      });

      it('only one of eight concurrent workflow changes with the same ETag succeeds', async () => {
        const made = await service.post<Workflow>('/v1/workflows', { name: 'race' });
        const headers = { 'if-match': made.headers.get('etag') ?? '' };
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            service.patch(`/v1/workflows/${made.body.id}`, { description: `by ${n}` }, { headers }),
          ),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status === 412)).toHaveLength(7);
      });

      it('concurrent changes of different workflow fields are all saved', async () => {
        const { id } = await create({ name: 'merge' });
        const patches: readonly JsonObject[] = [
          { description: 'd' },
          { tags: ['t'] },
          { config: { timeout_seconds: 9 } },
        ];
        const answers = await Promise.all(
          patches.map((patch) => service.patch(`/v1/workflows/${id}`, patch)),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect((await service.get(`/v1/workflows/${id}`)).body).toMatchObject({
          description: 'd',
          tags: ['t'],
          config: { timeout_seconds: 9 },
        });
      });
    });

    describe('status', () => {
      const TRANSITIONS: Readonly<Record<string, readonly string[]>> = {
        draft: ['draft', 'active', 'archived'],
        active: ['active', 'paused', 'archived'],
        paused: ['paused', 'active', 'archived'],
        archived: ['archived', 'paused'],
      };

      it.each(Object.entries(TRANSITIONS))(
        'from the status %s, a workflow accepts the documented status changes and rejects all others with 409',
        async (from, allowed) => {
          for (const to of Object.keys(TRANSITIONS)) {
            const { id } = await create({ name: 'status', status: from });
            const answer = await service.patch(`/v1/workflows/${id}`, { status: to });
            expect(answer.status, `${from} -> ${to}`).toBe(allowed.includes(to) ? 200 : 409);
            if (answer.status === 409)
              expect(answer.error).toMatchObject({
                type: 'conflict_error',
                code: 'invalid_status_transition',
              });
          }
        },
      );

      it('an archived workflow allows only a status change, and is missing from lists without a status filter', async () => {
        const tag = `t${newId()}`;
        const { id } = await create({ name: 'kept', tags: [tag], nodes: [SET] });
        await service.patch(`/v1/workflows/${id}`, { status: 'archived' });
        for (const patch of [
          { name: 'x' },
          { nodes: [] },
          { tags: [] },
          { status: 'paused', description: 'x' },
        ]) {
          const answer = await service.patch(`/v1/workflows/${id}`, patch);
          expect([answer.status, answer.error?.code], JSON.stringify(patch)).toEqual([
            409,
            'workflow_archived',
          ]);
        }
        expect((await list(`tag=${tag}`)).data).toEqual([]);
        expect((await list(`tag=${tag}&status=archived`)).data.map((workflow) => workflow.id)).toEqual([id]);
        expect((await service.get(`/v1/workflows/${id}`)).status).toBe(200);
        expect((await service.patch(`/v1/workflows/${id}`, { status: 'paused' })).status).toBe(200);
        expect((await list(`tag=${tag}`)).data.map((workflow) => workflow.id)).toEqual([id]);
      });

      it.each(['draft', 'paused', 'archived'])(
        'a workflow with status %s cannot be started',
        async (status) => {
          const { id } = await create({ name: 'still', status });
          const answer = await service.post(`/v1/workflows/${id}/executions`, {});
          expect([answer.status, answer.error.code]).toEqual([409, 'workflow_not_active']);
        },
      );
    });

    describe('deletion', () => {
      it('the executions of a deleted workflow can still be read', async () => {
        const { id } = await create({ name: 'gone', nodes: [SET] });
        const execution = await service.post<{ id: string }>(`/v1/workflows/${id}/executions?wait=10`, {});
        const deleted = await service.delete(`/v1/workflows/${id}`);
        expect([deleted.status, deleted.body]).toEqual([204, null]);
        for (const [method, path] of [
          ['GET', ''],
          ['PATCH', ''],
          ['DELETE', ''],
          ['GET', '/versions'],
          ['POST', '/executions'],
        ] as const) {
          const answer = await service.request(
            method,
            `/v1/workflows/${id}${path}`,
            method === 'PATCH' ? { body: {} } : {},
          );
          expect([answer.status, answer.error?.code], method + path).toEqual([404, 'workflow_not_found']);
        }
        expect((await service.get(`/v1/executions/${execution.body.id}`)).body).toMatchObject({
          status: 'completed',
          output: 1,
        });
        expect((await service.get(`/v1/executions/${execution.body.id}/nodes`)).status).toBe(200);
      });

      it('a workflow with unfinished executions can be deleted only with ?cancel=true', async () => {
        const { id } = await create({
          name: 'busy',
          nodes: [{ id: 'nap', type: 'delay', with: { seconds: 60 } }],
        });
        const started = await Promise.all(
          [1, 2, 3].map(() => service.post<{ id: string }>(`/v1/workflows/${id}/executions`, {})),
        );
        const refused = await service.delete(`/v1/workflows/${id}`);
        expect([refused.status, refused.error.code]).toEqual([409, 'workflow_has_running_executions']);
        expect((await service.delete(`/v1/workflows/${id}?cancel=maybe`)).status).toBe(400);
        expect((await service.delete(`/v1/workflows/${id}?cancel=true`)).status).toBe(204);
        // The DELETE response may arrive before the cancelled executions end, so the test polls their statuses.
        for (const { body } of started)
          expect(
            await until('the end of the execution', async () => {
              const { body: execution } = await service.get<{ readonly status: string }>(
                `/v1/executions/${body.id}`,
              );
              return execution.status === 'cancelled' && execution;
            }),
          ).toMatchObject({ status: 'cancelled', status_reason: 'The workflow was deleted.' });
      });
    });

    describe('lists', () => {
      it('the list of workflows can be read page by page, by offset or cursor, in ascending and descending order', async () => {
        const tag = `page${newId()}`;
        const ids: string[] = [];
        for (let n = 0; n < 5; n += 1) ids.push((await create({ name: `w${n}`, tags: [tag] })).id);
        for (const [order, expected] of [
          ['desc', ids.toReversed()],
          ['asc', ids],
        ] as const) {
          const byOffset: string[] = [];
          for (let offset = 0; offset < 6; offset += 2) {
            const { data, pagination } = await list(`tag=${tag}&limit=2&offset=${offset}&order=${order}`);
            byOffset.push(...data.map(({ id }) => id));
            expect(pagination).toMatchObject({ total: 5, limit: 2, offset, has_more: offset < 4 });
          }
          expect(byOffset).toEqual(expected);
          const byCursor: string[] = [];
          let cursor = '';
          for (let turn = 0; turn < 5; turn += 1) {
            const { data, pagination } = await list(`tag=${tag}&limit=2&order=${order}${cursor}`);
            byCursor.push(...data.map(({ id }) => id));
            if (pagination.next_cursor === undefined) break;
            cursor = `&cursor=${pagination.next_cursor}`;
          }
          expect(byCursor).toEqual(expected);
        }
      });

      it('the workflow search ignores case in every script and treats wildcards as plain text', async () => {
        const mark = newId();
        const sharp = await create({ name: `ÄRGER ${mark}` });
        const percent = await create({ name: `100% ${mark}`, description: 'Straße_1' });
        const find = async (q: string): Promise<readonly string[]> =>
          (await list(`q=${encodeURIComponent(q)}`)).data.map(({ id }) => id);
        expect(await find(`ärger ${mark}`)).toEqual([sharp.id]);
        expect(await find(`Ärger ${mark.toUpperCase()}`)).toEqual([sharp.id]);
        expect(await find(`% ${mark}`)).toEqual([percent.id]);
        expect(await find('STRASSE_1')).toEqual([]);
        expect(await find('straße_1')).toEqual([percent.id]);
        expect(await find(`_ ${mark}`)).toEqual([]);
        expect(await find('\\')).not.toContain(sharp.id);
      });

      it('the tag filter of workflows finds only workflows with exactly that tag', async () => {
        const tag = `Tag${newId().slice(0, 8)}`;
        const { id } = await create({ name: 'tagged', tags: [tag, `${tag}.more`] });
        expect((await list(`tag=${tag}`)).data.map((workflow) => workflow.id)).toEqual([id]);
        for (const other of [
          tag.toLowerCase(),
          tag.slice(1),
          `${tag}.`,
          `${tag}|`,
          '%',
          '_'.repeat(tag.length),
        ])
          expect((await list(`tag=${encodeURIComponent(other)}`)).data, other).toEqual([]);
      });

      it('the list of workflows can be filtered by status and project', async () => {
        const project = await service.newProject();
        const { id } = await create({ name: 'elsewhere', project_id: project.id, status: 'draft' });
        expect((await list(`project_id=${project.id}`)).data.map((workflow) => workflow.id)).toEqual([id]);
        expect((await list(`project_id=${project.id}&status=active`)).pagination.total).toBe(0);
        expect((await list(`project_id=${project.id.toUpperCase()}&status=draft`)).pagination.total).toBe(1);
        expect((await service.get(`/v1/workflows?project_id=${newId()}`)).status).toBe(404);
      });

      it('the list of workflows contains the latest execution of each workflow', async () => {
        const tag = `last${newId()}`;
        const { id } = await create({ name: 'ran', tags: [tag], nodes: [SET] });
        const { body } = await service.post<{ id: string }>(`/v1/workflows/${id}/executions?wait=10`, {});
        expect((await list(`tag=${tag}`)).data).toMatchObject([
          { last_execution: { id: body.id, status: 'completed' } },
        ]);
        expect((await service.get(`/v1/workflows/${id}`)).body).toMatchObject({
          last_execution: { id: body.id },
        });
      });

      it.each([
        'limit=0',
        'limit=101',
        'limit=x',
        'limit=1.5',
        'offset=-1',
        'offset=10001',
        'order=up',
        'status=deleted',
        'status=active&status=draft',
        'project_id=x',
        'q=',
        'tag=',
        'color=red',
        'cursor=x',
        'cursor=WyJ4Il0',
        'cursor=WzFd',
        'cursor=WyIwMTk5YzJhNC03ZjFlLTdjM2EtOWY1Mi02ZDFiOGUwYTRjMTEiXQ&offset=5',
      ])('the list of workflows rejects the invalid query %s', async (query) => {
        const answer = await service.get(`/v1/workflows?${query}`);
        expect([answer.status, answer.error?.type]).toEqual([400, 'validation_error']);
        expect(answer.error.details?.['field']).toBe(
          query.includes('offset=5') ? 'offset' : query.split('=')[0],
        );
      });

      it.each(['cursor=WyJ4Il0', 'cursor=WzEuNV0', 'cursor=WzFlOTld', 'cursor=Wy0xXQ', 'cursor=x'])(
        'the list of workflow versions rejects the invalid query %s',
        async (query) => {
          const { id } = await create({ name: 'x' });
          expect((await service.get(`/v1/workflows/${id}/versions?${query}`)).status).toBe(400);
        },
      );
    });

    describe('access to workflows', () => {
      it('a workflow request returns 401 without a key, 403 to another team and 404 for an unknown id', async () => {
        const stranger = await service.newStranger();
        const { id } = await create({ name: 'mine', nodes: [SET] });
        for (const [method, path, body] of [
          ['GET', '', undefined],
          ['PUT', '', { name: 'x' }],
          ['PATCH', '', { name: 'x' }],
          ['DELETE', '', undefined],
          ['GET', '/versions', undefined],
          ['GET', '/versions/1', undefined],
          ['GET', '/executions', undefined],
          ['POST', '/executions', {}],
          ['POST', '/execute', {}],
        ] as const) {
          const ask = async (target: string, key: string | null): Promise<number> =>
            (await service.request(method, `/v1/workflows/${target}${path}`, { body, key })).status;
          expect(await ask(id, stranger.key), `${method} ${path}`).toBe(403);
          expect(await ask(newId(), service.key), `${method} ${path}`).toBe(404);
          expect(await ask('no-id', service.key), `${method} ${path}`).toBe(400);
          expect(await ask(id, null), `${method} ${path}`).toBe(401);
        }
        expect((await service.get<Listed>('/v1/workflows', { key: stranger.key })).body.data).toEqual([]);
        expect(
          (
            await service.post(
              '/v1/workflows',
              { name: 'x', project_id: service.project.id },
              { key: stranger.key },
            )
          ).status,
        ).toBe(403);
        expect((await service.post('/v1/workflows', { name: 'x', project_id: newId() })).status).toBe(404);
        expect((await service.get(`/v1/workflows/${id}`)).body).toMatchObject({ name: 'mine' });
      });

      it('a key with only workflows:read can read and validate workflows, but not change them', async () => {
        const reader = await service.newKey({ scopes: ['workflows:read'] });
        const { id } = await create({ name: 'scoped' });
        expect((await service.get(`/v1/workflows/${id}`, { key: reader })).status).toBe(200);
        expect((await service.post('/v1/workflows/validate', { name: 'x' }, { key: reader })).status).toBe(
          200,
        );
        for (const answer of [
          await service.post('/v1/workflows', { name: 'x' }, { key: reader }),
          await service.patch(`/v1/workflows/${id}`, { name: 'x' }, { key: reader }),
          await service.delete(`/v1/workflows/${id}`, { key: reader }),
        ])
          expect([answer.status, answer.error.details?.['required_scope']]).toEqual([403, 'workflows:write']);
      });

      it('a key needs the scope executions:write to delete a workflow with ?cancel=true', async () => {
        const { id } = await create({
          name: 'busy',
          nodes: [{ id: 'nap', type: 'delay', with: { seconds: 60 } }],
        });
        const started = await service.post(`/v1/workflows/${id}/executions`, {});
        const key = await service.newKey({ scopes: ['workflows:write'] });
        const refused = await service.delete(`/v1/workflows/${id}?cancel=true`, { key });
        expect([refused.status, refused.error.details]).toEqual([
          403,
          { required_scope: 'executions:write' },
        ]);
        expect((await service.get(`/v1/executions/${started.body.id}`)).body['finished_at']).toBeNull();
        const both = await service.newKey({ scopes: ['workflows:write', 'executions:write'] });
        expect((await service.delete(`/v1/workflows/${id}?cancel=true`, { key: both })).status).toBe(204);
      });

      it('a key that is bound to a project cannot access workflows of other projects', async () => {
        const project = await service.newProject();
        const key = await service.newKey({ scopes: ['*'], projectId: project.id });
        const { id } = await create({ name: 'outside' });
        expect((await service.get(`/v1/workflows/${id}`, { key })).status).toBe(403);
        const made = await service.post<Workflow>('/v1/workflows', { name: 'inside' }, { key });
        expect(made.body.project_id).toBe(project.id);
        expect(
          (await service.get<Listed>('/v1/workflows', { key })).body.data.map((workflow) => workflow.id),
        ).toEqual([made.body.id]);
      });
    });
  });
