import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { isoTime } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { sendRaw } from '../support/raw-http.js';
import { type TestAnswer, TestService } from '../support/service.js';

for (const kind of await databaseKinds())
  describe(`Idempotency-Key on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;
    let calls: ExecutionCalls;
    let count = 0;

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings });
      calls = new ExecutionCalls(service);
    });

    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    const newKey = (): string => `key-${(count += 1)}`;
    const post = (
      path: string,
      key: string,
      body: JsonObject,
      caller = service.key,
    ): Promise<TestAnswer<{ id: string }>> =>
      service.post(path, body, { headers: { 'idempotency-key': key }, key: caller });
    const workflowsNamed = async (name: string): Promise<number> =>
      (await service.get<{ pagination: { total: number } }>(`/v1/workflows?q=${encodeURIComponent(name)}`))
        .body.pagination.total;

    it('a request with a repeated Idempotency-Key gets the first response with its headers and creates nothing', async () => {
      const key = newKey();
      const name = `again ${key}!`;
      const first = await post('/v1/workflows', key, { name });
      expect(first.status).toBe(201);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      await service.patch(`/v1/workflows/${first.body.id}`, { description: 'changed meanwhile' });
      for (const sent of [key, `"${key}"`]) {
        const again = await post('/v1/workflows', sent, { name });
        expect([again.status, again.body]).toEqual([201, first.body]);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        for (const header of ['location', 'etag'])
          expect(again.headers.get(header), header).toBe(first.headers.get(header));
        expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      }
      expect(await workflowsNamed(name)).toBe(1);
    });

    it('a request with a repeated Idempotency-Key and a different body gets 422', async () => {
      const key = newKey();
      await post('/v1/workflows', key, { name: 'one' });
      const other = await post('/v1/workflows', key, { name: 'two' });
      expect([other.status, other.error.type]).toEqual([422, 'idempotency_error']);
    });

    it('requests with the same Idempotency-Key are independent if their path or caller differs', async () => {
      const key = newKey();
      const workflows = await Promise.all([calls.workflow([]), calls.workflow([])]);
      const made = await Promise.all(workflows.map((id) => post(`/v1/workflows/${id}/executions`, key, {})));
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(2);
      const colleague = await service.newKey({ scopes: ['*'] });
      const [mine, theirs] = [
        await post('/v1/workflows', key, { name: 'x' }),
        await post('/v1/workflows', key, { name: 'x' }, colleague),
      ];
      expect(theirs.status).toBe(201);
      expect(theirs.headers.get('idempotent-replayed')).toBeNull();
      expect(theirs.body.id).not.toBe(mine.body.id);
      const stranger = await service.newStranger();
      const foreign = await post(`/v1/workflows/${workflows[0]}/executions`, key, {}, stranger.key);
      expect([foreign.status, foreign.headers.get('idempotent-replayed')]).toEqual([403, null]);
    });

    it('concurrent requests with the same Idempotency-Key create one resource and get 201, or 409 with Retry-After', async () => {
      const key = newKey();
      const name = `at once ${key}!`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post('/v1/workflows', key, { name })),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect([answer.status, answer.error.type]).toEqual([409, 'idempotency_error']);
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      expect(await workflowsNamed(name)).toBe(1);
    });

    it('a request with a repeated Idempotency-Key gets 409 until the first request has a response', async () => {
      const key = newKey();
      const workflow = await calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 0.5 } }]);
      const path = `/v1/workflows/${workflow}/executions?wait=10`;
      const first = post(path, key, {});
      let running = false;
      while (!running)
        running =
          (await service.get<{ data: unknown[] }>(`/v1/workflows/${workflow}/executions`)).body.data.length >
          0;
      const early = await post(path, key, {});
      expect([early.status, early.error.type, early.headers.get('retry-after')]).toEqual([
        409,
        'idempotency_error',
        '1',
      ]);
      const answered = await first;
      expect(answered.body).toMatchObject({ status: 'completed' });
      const late = await post(path, key, {});
      expect([late.status, late.headers.get('idempotent-replayed'), late.body]).toEqual([
        201,
        'true',
        answered.body,
      ]);
    });

    it('a rejected request does not use up its Idempotency-Key', async () => {
      const key = newKey();
      expect((await post('/v1/workflows', key, { name: '' })).status).toBe(400);
      expect(
        (await post('/v1/workflows', key, { name: 'x', nodes: [{ id: 'a', type: 'teleport' }] })).status,
      ).toBe(400);
      const made = await post('/v1/workflows', key, { name: 'right' });
      expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
      const path = `/v1/workflows/${made.body.id}/executions`;
      await service.patch(`/v1/workflows/${made.body.id}`, { status: 'paused' });
      expect((await post(path, key, {})).status).toBe(409);
      await service.patch(`/v1/workflows/${made.body.id}`, { status: 'active' });
      expect((await post(path, key, {})).status).toBe(201);
    });

    it('an Idempotency-Key expires after 24 hours', async () => {
      const key = newKey();
      const name = `a day ${key}!`;
      const first = await post('/v1/workflows', key, { name });
      const yesterday = isoTime(Date.now() - 24 * 60 * 60 * 1_000 - 1_000);
      await service.app.get(Writer, { strict: false }).commit({
        writes: [{ sql: `UPDATE idempotency_keys SET created_at = '${yesterday}'`, parameters: [] }],
      });
      const second = await post('/v1/workflows', key, { name });
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
      expect(second.body.id).not.toBe(first.body.id);
      const rows = await service.app.get(DataSource).query<unknown[]>('SELECT id FROM idempotency_keys');
      expect(rows).toHaveLength(1);
      expect((await post('/v1/workflows', key, { name })).body.id).toBe(second.body.id);
    });

    it.each([
      ['empty', ''],
      ['an empty quoted string', '""'],
      ['too long', 'x'.repeat(256)],
      ['not ASCII', 'schl\u00fcssel'],
      ['divided by a tab', 'a\tb'],
    ])('the service rejects an Idempotency-Key that is %s', async (_, key) => {
      const answer = await post('/v1/workflows', key, { name: 'x' });
      expect([answer.status, answer.error.details?.['field']]).toEqual([400, 'Idempotency-Key']);
    });

    it.each([
      ['255 characters', 'y'.repeat(255)],
      ['every printable character', ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`.trim()],
    ])('the service accepts an Idempotency-Key with %s', async (_, key) => {
      const [first, second] = [
        await post('/v1/workflows', key, { name: 'x' }),
        await post('/v1/workflows', key, { name: 'x' }),
      ];
      expect([first.status, second.body.id]).toEqual([201, first.body.id]);
    });

    it('the service ignores the Idempotency-Key of a request that creates nothing', async () => {
      const key = newKey();
      const { id } = await calls.run([]);
      for (const answer of [
        await service.get('/v1/workflows', { headers: { 'idempotency-key': key } }),
        await post('/v1/workflows/validate', key, { name: 'x' }),
        await post('/v1/workflows/validate', key, { name: 'y' }),
        await post(`/v1/executions/${id}/cancel`, key, {}),
      ])
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
    });

    it('two Idempotency-Key headers of a request count as one key, so the same request creates nothing when it is sent again', async () => {
      const key = newKey();
      const port = Number(new URL(service.baseUrl).port);
      const body = '{"name":"twice"}';
      const ask = async () =>
        sendRaw(
          port,
          `POST /v1/workflows HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: ${key}\r\nIdempotency-Key: other\r\n\r\n${body}`,
        );
      const [first, second] = [await ask(), await ask()];
      expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
      expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    });

    it('a request with a repeated Idempotency-Key gets the complete first response of 20,000 characters', async () => {
      const key = newKey();
      const text = 'x'.repeat(20_000);
      const workflow = await calls.workflow([{ id: 'a', type: 'set', with: { value: text } }]);
      const path = `/v1/workflows/${workflow}/executions?wait=10`;
      const first = await post(path, key, {});
      expect(first.body).toMatchObject({ status: 'completed', output: text });
      expect((await post(path, key, {})).body).toEqual(first.body);
    });

    describe('after a crash between the commit and the response', () => {
      /**
       * Deletes the stored responses but keeps their idempotency keys, as after a crash between a commit and
       * its response.
       */
      const loseResponses = (): Promise<void> =>
        service.app.get(Writer, { strict: false }).commit({
          writes: [
            { sql: 'UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL', parameters: [] },
          ],
        });

      const routes: readonly [string, () => Promise<readonly [string, JsonObject]>][] = [
        ['a workflow', () => Promise.resolve(['/v1/workflows', { name: 'lost' }])],
        ['an execution', async () => [`/v1/workflows/${await calls.workflow([])}/executions`, {}]],
        ['a session', () => Promise.resolve(['/v1/sessions', { metadata: { of: 'lost' } }])],
        ['a project', () => Promise.resolve(['/v1/projects', { name: 'lost' }])],
        ['a team', () => Promise.resolve(['/v1/teams', { name: 'lost' }])],
        ['a retry', async () => [`/v1/executions/${(await calls.run([])).id}/retry`, { from: 'start' }]],
        [
          'a signal',
          async () => {
            const nodes = [{ id: 'gate', type: 'wait', with: { signal: 'never' } }];
            const workflow = await calls.workflow(nodes);
            const { body } = await post(`/v1/workflows/${workflow}/executions`, newKey(), {});
            return [`/v1/executions/${body.id}/signals/go`, { payload: 1 }];
          },
        ],
      ];

      it.each(routes)(
        'after a lost response, a repeated request returns %s that the first request created',
        async (_, route) => {
          const key = newKey();
          const [path, body] = await route();
          const first = await post(path, key, body);
          expect(first.status).toBeLessThan(300);
          await loseResponses();
          const again = await post(path, key, body);
          expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
          expect(again.body.id).toBe(first.body.id);
          for (const header of ['location', 'etag'])
            expect(again.headers.get(header), header).toBe(first.headers.get(header));
        },
      );

      it('after a lost response, a request with the same Idempotency-Key and a different body gets 422', async () => {
        const key = newKey();
        await post('/v1/workflows', key, { name: 'one' });
        await loseResponses();
        expect((await post('/v1/workflows', key, { name: 'two' })).status).toBe(422);
      });

      it.each(['created', 'rotated'])(
        'after a lost response, a repeated request returns the %s API key without its secret',
        async (how) => {
          const key = newKey();
          const made = await service.post<{ id: string }>('/v1/keys', {
            name: 'lost',
            scopes: ['keys:read'],
          });
          const path = how === 'created' ? '/v1/keys' : `/v1/keys/${made.body.id}/rotate`;
          const body: JsonObject = how === 'created' ? { name: 'lost', scopes: ['keys:read'] } : {};
          const first = await post(path, key, body);
          await loseResponses();
          const again = await post(path, key, body);
          expect([again.status, again.body.id]).toEqual([201, first.body.id]);
          expect(first.body).toHaveProperty('key');
          expect(again.body).not.toHaveProperty('key');
        },
      );

      it('after a lost response, a repeated request returns the invitation without its link', async () => {
        const key = newKey();
        const path = `/v1/teams/${service.admin.teamId}/members`;
        const body = { email: `${key}@example.com`, role: 'viewer' };
        const first = await post(path, key, body);
        expect(first.body).toMatchObject({ invitation: { url: expect.any(String) as string } });
        await loseResponses();
        const again = await post(path, key, body);
        expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
        expect(again.body).toMatchObject({ invitation: { email: body.email } });
        expect(JSON.stringify(again.body)).not.toContain('url');
      });
    });

    it('the stored response of an idempotent request does not contain the secret of a new API key', async () => {
      const key = newKey();
      const made = await service.post<{ key: string }>(
        '/v1/keys',
        { name: 'kept' },
        {
          headers: { 'idempotency-key': key },
        },
      );
      const rows = await service.app.get(DataSource).query<unknown[]>('SELECT * FROM idempotency_keys');
      expect(made.body.key.length).toBeGreaterThan(20);
      expect(JSON.stringify(rows)).not.toContain(made.body.key);
    });

    it('a repeated request to create a session gets the first response, even if the session is now closed', async () => {
      const key = newKey();
      const path = '/v1/sessions';
      const body = { external_id: key };
      const { body: holder } = await service.post<{ id: string }>(path, body);
      const first = await post(path, key, body);
      expect([first.status, first.body.id]).toEqual([200, holder.id]);
      await service.post(`/v1/sessions/${holder.id}/close`, {});
      const again = await post(path, key, body);
      expect([again.status, again.body]).toEqual([200, first.body]);
    });
  });
