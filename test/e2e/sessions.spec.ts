import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { SessionExecutions } from '../../src/sessions/session-executions.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { type TestAnswer, TestService } from '../support/service.js';

interface Session extends JsonObject {
  readonly id: string;
  readonly project_id: string;
  readonly status: string;
  readonly state: JsonObject;
  readonly state_version: number;
}

interface List {
  readonly data: readonly Session[];
  readonly pagination: { readonly total: number; readonly has_more: boolean; readonly next_cursor?: string };
}

const UNKNOWN_ID = '0199a8c0-0000-7000-8000-000000000000';
const SECOND_IN_A_LIFE = 1_000;

/** A session state whose JSON has the given number of bytes. Most characters of the JSON take two bytes. */
function stateOfBytes(bytes: number): JsonObject {
  const rest = bytes - '{"a":""}'.length;
  return { a: 'é'.repeat(Math.floor(rest / 2)) + 'x'.repeat(rest % 2) };
}

describe.each(await databaseKinds())('sessions on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({ database: database.settings });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function open(body?: JsonObject): Promise<Session> {
    const answer = await service.post<Session>('/v1/sessions', body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function read(id: string): Promise<Session> {
    return (await service.get<Session>(`/v1/sessions/${id}`)).body;
  }

  async function expired(body: JsonObject = {}): Promise<Session> {
    const { id } = await open({ ...body, expires_in_seconds: 1 });
    for (;;) {
      const session = await read(id);
      if (session.status === 'expired') return session;
      await new Promise((resolve) => setTimeout(resolve, SECOND_IN_A_LIFE / 10));
    }
  }

  async function idsOf(query: string): Promise<readonly string[]> {
    return (await service.get<List>(`/v1/sessions?limit=100&${query}`)).body.data.map(({ id }) => id);
  }

  describe('creation', () => {
    it('a session can be created with an empty request, and the response contains every field', async () => {
      const answer = await service.post<Session>('/v1/sessions');
      const { id, created_at } = answer.body;
      expect(answer.status).toBe(201);
      expect(answer.headers.get('location')).toBe(`/v1/sessions/${id}`);
      expect(answer.headers.get('etag')).toBe('"1"');
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        project_id: service.project.id,
        external_id: null,
        name: '',
        status: 'active',
        metadata: {},
        state: {},
        state_version: 1,
        concurrency: 'parallel',
        execution_counts: { total: 0, running: 0, failed: 0 },
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: created_at,
        last_activity_at: created_at,
        expires_at: null,
        closed_at: null,
      });
      expect(await read(id)).toEqual(answer.body);
    });

    it('a new session has the field values of the request that created it', async () => {
      const given = {
        name: 'Order 4711',
        external_id: 'order-4711',
        metadata: { 'a.b': [1, { c: null }], größe: 'ß' },
        state: { paid: false, n: 1.5, nothing: null },
        concurrency: 'serial',
        expires_at: '2036-11-21T13:00:00+01:00',
        project_id: service.project.id.toUpperCase(),
      };
      const made = await open(given);
      expect(made).toMatchObject({
        ...given,
        project_id: service.project.id,
        expires_at: '2036-11-21T12:00:00.000Z',
      });
      expect(await read(made.id)).toEqual(made);
    });

    it('a session without a name gets its external id as its name', async () => {
      expect(await open({ external_id: 'unnamed' })).toMatchObject({ name: 'unnamed' });
    });

    it('a request with the external id of an open session returns that session unchanged', async () => {
      const first = await open({ external_id: 'again', name: 'First', state: { n: 1 } });
      const second = await service.post<Session>('/v1/sessions', {
        external_id: 'again',
        name: 'Second',
        state: { n: 2 },
      });
      expect(second.status).toBe(200);
      expect(second.body).toEqual(first);
      expect(second.headers.get('location')).toBe(`/v1/sessions/${first.id}`);
    });

    it('20 concurrent requests with the same external id create one session', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => service.post<Session>('/v1/sessions', { external_id: 'race' })),
      );
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    });

    it('the external id of a closed, expired or deleted session can be used for a new session', async () => {
      const closed = await open({ external_id: 'reused' });
      await service.post(`/v1/sessions/${closed.id}/close`);
      const old = await expired({ external_id: 'reused' });
      const deleted = await open({ external_id: 'reused' });
      await service.delete(`/v1/sessions/${deleted.id}`);
      const last = await open({ external_id: 'reused' });
      expect(await idsOf('external_id=reused')).toEqual([last.id, old.id, closed.id]);
      expect(await read(old.id)).toMatchObject({ status: 'expired', external_id: 'reused' });
    });

    it('sessions of different projects can have the same external id', async () => {
      const other = await service.newProject();
      const here = await open({ external_id: 'apart' });
      const there = await open({ external_id: 'apart', project_id: other.id });
      expect(there.id).not.toBe(here.id);
    });

    it('a session request with a repeated Idempotency-Key returns the first response', async () => {
      const request = { headers: { 'idempotency-key': 'open-1' } };
      const first = await service.post<Session>('/v1/sessions', { name: 'once' }, request);
      const again = await service.post<Session>('/v1/sessions', { name: 'once' }, request);
      expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        first.body,
        'true',
      ]);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));

      const there = await open({ external_id: 'replayed' });
      const found = { headers: { 'idempotency-key': 'open-2' } };
      await service.post('/v1/sessions', { external_id: 'replayed' }, found);
      await service.post(`/v1/sessions/${there.id}/close`);
      const replayed = await service.post<Session>('/v1/sessions', { external_id: 'replayed' }, found);
      expect([replayed.status, replayed.body.id, replayed.body.status]).toEqual([200, there.id, 'active']);
    });

    it.each([
      ['an unknown field', { color: 'red' }, 'color', 'unknown_field'],
      ['a list as state', { state: [] }, 'state', 'is_object'],
      ['a string as metadata', { metadata: 'x' }, 'metadata', 'is_object'],
      ['an unknown concurrency', { concurrency: 'twice' }, 'concurrency', 'is_in'],
      ['an empty name', { name: '' }, 'name', 'is_length'],
      ['a name that is too long', { name: 'x'.repeat(256) }, 'name', 'is_length'],
      ['an external id that is a number', { external_id: 5 }, 'external_id', undefined],
      ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'not_in_future'],
      ['an expiry without a zone', { expires_at: '2036-01-01T00:00:00' }, 'expires_at', undefined],
      [
        'an expiry on a day that does not exist',
        { expires_at: '2036-02-31T00:00:00Z' },
        'expires_at',
        undefined,
      ],
      ['an expiry in a leap second', { expires_at: '2036-12-31T23:59:60Z' }, 'expires_at', undefined],
      [
        'an expiry after the year 9999',
        { expires_at: '9999-12-31T23:59:59-12:00' },
        'expires_at',
        'not_in_future',
      ],
      ['a lifetime of zero', { expires_in_seconds: 0 }, 'expires_in_seconds', 'min'],
      ['a lifetime of half a second', { expires_in_seconds: 0.5 }, 'expires_in_seconds', undefined],
      [
        'two kinds of expiry',
        { expires_at: '2036-01-01T00:00:00Z', expires_in_seconds: 5 },
        'expires_in_seconds',
        'given_twice',
      ],
      ['a project id that is not a UUID', { project_id: 'mine' }, 'project_id', 'is_uuid'],
    ])('the service rejects a new session with an invalid field: %s', async (_, body, field, code) => {
      const { status, error } = await service.post('/v1/sessions', body);
      expect([status, error.type, error.details?.['field']]).toEqual([400, 'validation_error', field]);
      if (code !== undefined) expect(error.details?.['errors']).toMatchObject([{ field, code }]);
    });

    it('the state and the metadata of a session can each have at most 65,536 bytes of JSON', async () => {
      const [fits, tooLong] = [stateOfBytes(65_536), stateOfBytes(65_537)];
      expect((await read((await open({ state: fits, metadata: fits })).id)).state).toEqual(fits);
      for (const field of ['state', 'metadata']) {
        const { status, error } = await service.post('/v1/sessions', { [field]: tooLong });
        expect([status, error.code, error.details?.['field']]).toEqual([400, 'too_long', field]);
      }
    });
  });

  describe('changes', () => {
    it('PATCH of a session merges the state and the metadata, and replaces all other given fields', async () => {
      const { id } = await open({
        name: 'a',
        metadata: { keep: 1, drop: 2 },
        state: { deep: { x: 1, y: 2 }, list: [1, 2] },
      });
      const changed = await service.patch<Session>(`/v1/sessions/${id}`, {
        name: 'b',
        metadata: { drop: null, add: 3 },
        state: { deep: { x: null, z: 3 }, list: [3] },
        concurrency: 'serial',
        expires_in_seconds: 3_600,
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({
        name: 'b',
        concurrency: 'serial',
        state_version: 2,
        expires_at: expect.any(String),
      });
      expect(changed.body.state).toEqual({ deep: { y: 2, z: 3 }, list: [3] });
      expect(changed.body['metadata']).toEqual({ keep: 1, add: 3 });
      expect(await read(id)).toEqual(changed.body);

      const renamed = await service.patch<Session>(`/v1/sessions/${id}`, {
        name: 'c',
        state: { list: [3] },
        expires_at: null,
      });
      expect(renamed.body).toMatchObject({ name: 'c', state_version: 2, expires_at: null });
      const emptied = await service.patch<Session>(`/v1/sessions/${id}`, { state: null, metadata: null });
      expect(emptied.body).toMatchObject({
        state: {},
        metadata: {},
        state_version: 3,
        name: 'c',
        concurrency: 'serial',
      });
    });

    it('a change or deletion of a session with an outdated If-Match header returns 412', async () => {
      const { id } = await open();
      const etag = (await service.get(`/v1/sessions/${id}`)).headers.get('etag') ?? '';
      const request = { headers: { 'if-match': etag } };
      const first = await service.patch(`/v1/sessions/${id}`, { name: 'first' }, request);
      expect(first.status).toBe(200);
      expect(first.headers.get('etag')).not.toBe(etag);
      const second = await service.patch(`/v1/sessions/${id}`, { name: 'second' }, request);
      expect([second.status, second.error.type]).toEqual([412, 'precondition_failed_error']);
      expect((await service.delete(`/v1/sessions/${id}`, request)).status).toBe(412);
      expect(await read(id)).toMatchObject({ name: 'first' });
    });

    it('each of ten concurrent changes of a session is either applied or rejected with an error', async () => {
      const { id } = await open();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          service.patch(`/v1/sessions/${id}`, { state: { [`n${n}`]: n } }),
        ),
      );
      const written = answers.flatMap(({ status }, n) => (status === 200 ? [`n${n}`] : []));
      expect(
        answers.filter(({ status }) => status !== 200).every(({ error }) => error.code === 'session_changed'),
      ).toBe(true);
      const { state, state_version } = await read(id);
      expect(Object.keys(state).sort()).toEqual(written);
      expect(state_version).toBe(1 + written.length);
    });

    it('the size limit of a session state applies to the merged state, not to the change', async () => {
      const { id } = await open({ state: stateOfBytes(65_531) });
      const { status, error } = await service.patch(`/v1/sessions/${id}`, { state: { b: 1 } });
      expect([status, error.details?.['field']]).toEqual([400, 'state']);
      expect((await service.patch(`/v1/sessions/${id}`, { state: { a: null, b: 1 } })).status).toBe(200);
    });

    it('PATCH of a session rejects immutable fields and a missing body', async () => {
      const { id } = await open();
      for (const body of [{ external_id: 'x' }, { project_id: service.project.id }, { status: 'closed' }, []])
        expect((await service.patch(`/v1/sessions/${id}`, body)).status).toBe(400);
      expect((await service.patch(`/v1/sessions/${id}`)).status).toBe(400);
    });

    it('a closed or expired session cannot be changed', async () => {
      const closed = await open();
      await service.post(`/v1/sessions/${closed.id}/close`);
      for (const { id, status } of [{ ...closed, status: 'closed' }, await expired()]) {
        const answer = await service.patch(`/v1/sessions/${id}`, { name: 'late' });
        expect([answer.status, answer.error.code, answer.error.details]).toEqual([
          409,
          'session_closed',
          { status },
        ]);
      }
    });
  });

  describe('closing and deletion', () => {
    it('a closed session stays unchanged if a client closes it again', async () => {
      const { id } = await open();
      const first = await service.post<Session>(`/v1/sessions/${id}/close`);
      expect([first.status, first.body.status, typeof first.body['closed_at']]).toEqual([
        200,
        'closed',
        'string',
      ]);
      const second = await service.post<Session>(`/v1/sessions/${id}/close`);
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    });

    it('a request for a deleted session returns 404, and the list of sessions omits the session', async () => {
      const { id } = await open({ external_id: 'gone' });
      const deleted = await service.delete(`/v1/sessions/${id}`);
      expect([deleted.status, deleted.body]).toEqual([204, null]);
      for (const method of ['GET', 'DELETE']) {
        const { status, error } = await service.request(method, `/v1/sessions/${id}`);
        expect([status, error.code]).toEqual([404, 'session_not_found']);
      }
      expect((await service.post(`/v1/sessions/${id}/close`)).status).toBe(404);
      expect((await service.get(`/v1/sessions/${id}/executions`)).status).toBe(404);
      expect(await idsOf('external_id=gone')).toEqual([]);
    });
  });

  describe('lists', () => {
    it('the list of sessions can be filtered by the status active, closed or expired', async () => {
      const project_id = (await service.newProject()).id;
      const active = await open({ project_id });
      const lasting = await open({ project_id, expires_in_seconds: 3_600 });
      const closed = await open({ project_id });
      await service.post(`/v1/sessions/${closed.id}/close`);
      const over = await expired({ project_id });
      const of = (status: string): Promise<readonly string[]> =>
        idsOf(`project_id=${project_id}&status=${status}`);
      expect(await of('active')).toEqual([lasting.id, active.id]);
      expect(await of('closed')).toEqual([closed.id]);
      expect(await of('expired')).toEqual([over.id]);
      expect(await idsOf(`project_id=${project_id}`)).toEqual([over.id, closed.id, lasting.id, active.id]);
    });

    it('the list of sessions can be read page by page, with an offset or a cursor', async () => {
      const project_id = (await service.newProject()).id;
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.unshift((await open({ project_id })).id);
      const path = `/v1/sessions?project_id=${project_id}&limit=2`;
      const first = (await service.get<List>(path)).body;
      expect(first.pagination).toMatchObject({ total: 5, limit: 2, offset: 0, has_more: true });
      const second = (await service.get<List>(`${path}&cursor=${first.pagination.next_cursor}`)).body;
      const third = (await service.get<List>(`${path}&offset=4`)).body;
      expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
      expect(third.pagination.has_more).toBe(false);
      expect((await service.get<List>(`${path}&order=asc`)).body.data[0]?.id).toBe(ids.at(-1));
    });

    it.each([
      'status=open',
      'project_id=x',
      'external_id=',
      'limit=101',
      'cursor=x',
      'cursor=WyJ4Il0',
      'name=x',
    ])('the list of sessions rejects the invalid query ?%s', async (query) => {
      const { status, error } = await service.get(`/v1/sessions?${query}`);
      expect([status, error.type, error.details?.['field']]).toEqual([
        400,
        'validation_error',
        query.split('=')[0],
      ]);
    });
  });

  describe('access to sessions', () => {
    const REQUESTS = [
      { method: 'GET', path: '' },
      { method: 'PATCH', path: '', body: { name: 'mine' } },
      { method: 'DELETE', path: '' },
      { method: 'DELETE', path: '?cancel=true' },
      { method: 'POST', path: '/close' },
      { method: 'GET', path: '/executions' },
      { method: 'GET', path: '/events' },
    ];

    it.each(REQUESTS)(
      '$method /v1/sessions/{id}$path returns 403 to a key of another team',
      async ({ method, path, body }) => {
        const { id } = await open({ name: 'private' });
        const stranger = await service.newStranger();
        const { status, error } = await service.request(method, `/v1/sessions/${id}${path}`, {
          body,
          key: stranger.key,
        });
        expect([status, error.type]).toEqual([403, 'permission_error']);
        expect(await read(id)).toMatchObject({ name: 'private', status: 'active' });
      },
    );

    it.each(REQUESTS)(
      '$method /v1/sessions/{id}$path returns 404 for an unknown session',
      async ({ method, path, body }) => {
        const { status, error } = await service.request(method, `/v1/sessions/${UNKNOWN_ID}${path}`, {
          body,
        });
        expect([status, error.type]).toEqual([404, 'not_found_error']);
        expect((await service.request(method, `/v1/sessions/not-an-id${path}`, { body })).status).toBe(400);
      },
    );

    it('another team can neither list the sessions of a project nor create a session in the project', async () => {
      const { project_id, id } = await open({ external_id: 'secret' });
      const { key } = await service.newStranger();
      expect((await service.get<List>('/v1/sessions', { key })).body.pagination.total).toBe(0);
      expect((await service.get(`/v1/sessions?project_id=${project_id}`, { key })).status).toBe(403);
      expect((await service.post('/v1/sessions', { project_id }, { key })).status).toBe(403);
      const own = await service.post<Session>('/v1/sessions', { external_id: 'secret' }, { key });
      expect([own.status, own.body.id === id]).toEqual([201, false]);
    });

    it('a key that is bound to a project can access only sessions of that project', async () => {
      const { id } = await open();
      const other = await service.newProject();
      const key = await service.newKey({ projectId: other.id });
      expect((await service.get(`/v1/sessions/${id}`, { key })).status).toBe(403);
      const own = await service.post<Session>('/v1/sessions', {}, { key });
      expect(own.body['project_id']).toBe(other.id);
      expect(
        (await service.get<List>('/v1/sessions', { key })).body.data.map((session) => session.id),
      ).toEqual([own.body.id]);
    });

    it('a key needs the scope executions:write to delete a session with ?cancel=true', async () => {
      const { id } = await open();
      const key = await service.newKey({ scopes: ['sessions:write'] });
      const refused = await service.delete(`/v1/sessions/${id}?cancel=true`, { key });
      expect([refused.status, refused.error.details]).toEqual([403, { required_scope: 'executions:write' }]);
      expect((await service.delete(`/v1/sessions/${id}`, { key })).status).toBe(204);
    });

    it('a key with only sessions:read can read sessions, but cannot change them or list their executions', async () => {
      const { id } = await open();
      const reader = { key: await service.newKey({ scopes: ['sessions:read'] }) };
      expect((await service.get(`/v1/sessions/${id}`, reader)).status).toBe(200);
      const refused = [
        await service.post('/v1/sessions', {}, reader),
        await service.patch(`/v1/sessions/${id}`, { name: 'x' }, reader),
        await service.delete(`/v1/sessions/${id}`, reader),
        await service.post(`/v1/sessions/${id}/close`, undefined, reader),
      ];
      for (const { status, error } of refused)
        expect([status, error.details]).toEqual([403, { required_scope: 'sessions:write' }]);
      const executions = await service.get(`/v1/sessions/${id}/executions`, reader);
      expect(executions.error.details).toEqual({ required_scope: 'executions:read' });
      expect((await service.get('/v1/sessions', { key: null })).status).toBe(401);
    });
  });

  describe('executions of a session', () => {
    async function workflow(node: JsonObject, project_id = service.project.id): Promise<string> {
      const { body, status } = await service.post('/v1/workflows', {
        name: 'w',
        project_id,
        nodes: [{ id: 'only', ...node }],
      });
      expect(status).toBe(201);
      return body.id;
    }

    function start(workflowId: string, session_id: string | null, query = ''): Promise<TestAnswer> {
      return service.post(`/v1/workflows/${workflowId}/executions${query}`, { session_id });
    }

    it('the execution counts, executions and events of a session include only executions that started in the session', async () => {
      const session = await open();
      const [greet, fail, sleep] = [
        await workflow({ type: 'set', with: { value: 1 } }),
        await workflow({ type: 'fail', with: { message: 'no' } }),
        await workflow({ type: 'delay', with: { seconds: 3_000 } }),
      ];
      const done = await start(greet, session.id.toUpperCase(), '?wait=60');
      expect(done.body).toMatchObject({ session_id: session.id, status: 'completed' });
      const failed = await start(fail, session.id, '?wait=60');
      const asleep = await start(sleep, session.id);
      await start(greet, (await open()).id);
      await start(greet, null);

      const after = await read(session.id);
      expect(after).toMatchObject({
        execution_counts: { total: 3, running: 1, failed: 1 },
        updated_at: session['updated_at'],
      });
      expect(after['last_activity_at']).toBe(asleep.body['created_at']);
      const listed = await service.get<List>('/v1/sessions?limit=100');
      expect(listed.body.data.find(({ id }) => id === session.id)).toEqual(after);

      const path = `/v1/sessions/${session.id}/executions`;
      const ids = (await service.get<List>(path)).body.data.map(({ id }) => id);
      expect(ids).toEqual([asleep, failed, done].map(({ body }) => body.id));
      expect((await service.get<List>(`${path}?status=failed`)).body.data.map(({ id }) => id)).toEqual([
        failed.body.id,
      ]);
      expect((await service.get<List>(`${path}?workflow_id=${greet}`)).body.data.map(({ id }) => id)).toEqual(
        [done.body.id],
      );
      const events = await service.get<{ data: readonly JsonObject[] }>(`/v1/sessions/${session.id}/events`);
      expect(events.body.data.length).toBeGreaterThan(5);
      expect(events.body.data.every(({ session_id }) => session_id === session.id)).toBe(true);
    });

    it('an expression reads the state that the session had when the execution started', async () => {
      const { id } = await open({ state: { total: 41 } });
      const workflowId = await workflow({ type: 'set', with: { value: '{{ session.state.total + 1 }}' } });
      expect((await start(workflowId, id, '?wait=60')).body).toMatchObject({
        status: 'completed',
        output: 42,
      });
      await service.patch(`/v1/sessions/${id}`, { state: { total: 6 } });
      expect((await start(workflowId, id, '?wait=60')).body).toMatchObject({ output: 7 });
    });

    it("the list of a session's executions rejects a malformed cursor", async () => {
      const { id } = await open();
      expect((await service.get(`/v1/sessions/${id}/executions?cursor=WyJ4Il0`)).status).toBe(400);
    });

    it('an execution cannot start in a closed session or in a session of another project', async () => {
      const workflowId = await workflow({ type: 'set', with: { value: 1 } });
      const closed = await open();
      await service.post(`/v1/sessions/${closed.id}/close`);
      const elsewhere = await open({ project_id: (await service.newProject()).id });
      const stranger = await service.newStranger();
      const foreign = await service.post<Session>('/v1/sessions', {}, { key: stranger.key });
      const cases = [
        [closed.id, 409, 'session_closed'],
        [(await expired()).id, 409, 'session_closed'],
        [elsewhere.id, 400, 'other_project'],
        [foreign.body.id, 403, 'project_out_of_reach'],
        [UNKNOWN_ID, 404, 'session_not_found'],
        ['mine', 400, 'invalid_request'],
      ] as const;
      for (const [sessionId, status, code] of cases) {
        const answer = await start(workflowId, sessionId);
        expect([answer.status, answer.error.code]).toEqual([status, code]);
      }
      expect((await service.get<List>(`/v1/workflows/${workflowId}/executions`)).body.pagination.total).toBe(
        0,
      );
    });

    it('an unfinished execution continues after its session is closed', async () => {
      const { id } = await open();
      const asleep = await start(await workflow({ type: 'delay', with: { seconds: 3_000 } }), id);
      const closed = await service.post<Session>(`/v1/sessions/${id}/close`);
      expect(closed.body).toMatchObject({
        status: 'closed',
        execution_counts: { total: 1, running: 1, failed: 0 },
      });
      await service.post(`/v1/executions/${asleep.body.id}/cancel`);
      expect(await read(id)).toMatchObject({ execution_counts: { total: 1, running: 0, failed: 0 } });
    });

    it('a session with unfinished executions can be deleted only with ?cancel=true', async () => {
      const { id } = await open();
      const sleep = await workflow({ type: 'delay', with: { seconds: 3_000 } });
      const asleep = [await start(sleep, id), await start(sleep, id)];
      const refused = await service.delete(`/v1/sessions/${id}`);
      expect([refused.status, refused.error.code, refused.error.details]).toEqual([
        409,
        'session_has_running_executions',
        { running: 2 },
      ]);
      expect((await service.delete(`/v1/sessions/${id}?cancel=yes`)).status).toBe(400);
      expect((await service.delete(`/v1/sessions/${id}?cancel=true`)).status).toBe(204);
      // The service cancels the executions in the background.
      for (const { body } of asleep)
        await expect
          .poll(async () => (await service.get(`/v1/executions/${body.id}`)).body)
          .toMatchObject({ status: 'cancelled', session_id: id });
    });

    it('the deletion of a session fails if an execution starts after the unfinished executions were counted', async () => {
      const { id } = await open();
      const sleep = await workflow({ type: 'delay', with: { seconds: 3_000 } });
      const executions = service.app.get(SessionExecutions, { strict: false });
      const counts = executions.counts.bind(executions);
      vi.spyOn(executions, 'counts').mockImplementationOnce(async (ids) => {
        const counted = await counts(ids);
        expect((await start(sleep, id)).status).toBe(201);
        return counted;
      });
      const refused = await service.delete(`/v1/sessions/${id}`);
      expect([refused.status, refused.error.code]).toEqual([409, 'session_changed']);
      expect(await read(id)).toMatchObject({ execution_counts: { running: 1 } });
    });
  });
});
