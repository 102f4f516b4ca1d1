import { get } from 'node:http';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeCursor, JournalRepository } from '../../src/journal/index.js';
import { KeyRevocations, KeysService } from '../../src/keys/index.js';
import { ADMIN, completed, EventsApplication, paused } from '../support/events-application.js';
import { ENTITIES } from '../../src/schema.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { SocketClient } from '../support/socket-client.js';

const UNKNOWN_ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';

describe.each(await databaseKinds())('/ws on $name', ({ create }) => {
  let database: TestDatabase;
  let service: EventsApplication;
  let secret: string;

  beforeAll(async () => {
    database = await create(ENTITIES);
    service = await EventsApplication.start(database.settings, {
      authDeadlineMs: 400,
      closeMs: 200,
      connectionsPerKey: 20,
      subscriptionsPerConnection: 3,
      pageSize: 7,
      bufferSize: 5,
      messageBurst: 30,
    });
    ({ secret } = service.admin);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  afterEach(() => SocketClient.cutAll());

  async function connect(resumeFrom?: string, token = secret): Promise<SocketClient> {
    return SocketClient.authenticated(service.url, token, resumeFrom);
  }

  describe('without a subscription', () => {
    it('a socket without a subscription receives each event of all projects of its team once', async () => {
      const client = await connect();
      const { secret: narrow } = await service.key({ projectId: service.admin.project.id });
      const narrowClient = await connect(undefined, narrow);
      const other = await service.project();
      const execution = service.execution();
      await service.execution(other.id).append(paused('elsewhere'));
      await execution.append(paused('one'), paused('two "quoted" ünï'), paused('x'.repeat(70_000)));
      await execution.append(completed('done'));
      await client.until(() => client.events.length === 5);
      await narrowClient.until(() => narrowClient.events.length === 4);
      const own = client.events.filter((event) => event['execution_id'] === execution.id);
      expect(own.map((event) => event['sequence'])).toEqual([1, 2, 3, 4]);
      expect(Object.keys(own[0] ?? {})).toEqual([
        'id',
        'type',
        'sequence',
        'cursor',
        'created_at',
        'project_id',
        'workflow_id',
        'execution_id',
        'session_id',
        'node_id',
        'attempt',
        'data',
      ]);
      expect(own[1]?.['data']).toEqual({ status: 'paused', reason: 'two "quoted" ünï' });
      expect(own[2]?.['data']).toEqual({ status: 'paused', reason: 'x'.repeat(70_000) });
      expect(narrowClient.events.every((event) => event['execution_id'] === execution.id)).toBe(true);
      const answer = await fetch(`http://${service.url}/v1/executions/${execution.id}/events`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      const ownTexts = client.texts.filter((text) => text.includes(execution.id));
      expect(await answer.text()).toBe(
        `{"data":[${ownTexts.join(',')}],"pagination":{"total":4,"limit":20,"offset":0,"has_more":false}}`,
      );
    });

    it('a socket receives all events of a project that was created after the socket opened', async () => {
      const client = await connect();
      const executions = [];
      for (let index = 0; index < 3; index += 1) {
        const project = await service.project();
        const execution = service.execution(project.id);
        executions.push(execution);
        await execution.append(paused('first'));
        await execution.append(paused('second'), paused('third'));
      }
      await client.until(() => client.events.length >= 9);
      for (const { id } of executions)
        expect(
          client.events.filter((event) => event['execution_id'] === id).map((event) => event['sequence']),
        ).toEqual([1, 2, 3]);
    });

    it('a socket with several matching subscriptions receives each event of a new project once', async () => {
      const client = await connect();
      client.send({ type: 'subscribe', id: 'all', filter: {} });
      client.send({ type: 'subscribe', id: 'some', filter: { types: ['workflow.paused'] } });
      await client.until(() => client.received.filter(({ type }) => type === 'subscribed').length === 2);
      const execution = service.execution((await service.project()).id);
      await execution.append(paused('first'));
      await execution.append(paused('second'), completed('third'));
      const own = (): readonly unknown[] =>
        client.events
          .filter((event) => event['execution_id'] === execution.id)
          .map((event) => event['sequence']);
      await client.until(() => own().includes(3));
      client.send({ type: 'ping' });
      await client.next('pong');
      expect(own()).toEqual([1, 2, 3]);
    });

    it('a socket receives no event of another team', async () => {
      const foreign = service.execution((await service.foreignProject()).id);
      const client = await connect();
      await foreign.append(paused('secret'));
      client.send({ type: 'subscribe', id: 'x', filter: { execution_id: foreign.id }, after: '0' });
      expect(await client.next('error')).toMatchObject({ error: { code: 'out_of_reach' } });
      const resumed = await connect('0');
      const own = service.execution();
      await own.append(completed('own'));
      for (const one of [client, resumed]) {
        await one.until(() => one.events.some((event) => event['execution_id'] === own.id));
        expect(one.texts.join()).not.toContain('secret');
      }
    });
  });

  describe('resuming', () => {
    it('a socket can resume from a cursor in a process that has just started', async () => {
      const execution = service.execution();
      await execution.append(paused('one'), completed('two'));
      const begun = await EventsApplication.start(database.settings, {}, service.admin);
      const client = await SocketClient.authenticated(begun.url, secret, '0');
      const own = (): readonly unknown[] =>
        client.events.filter((event) => event['execution_id'] === execution.id).map(({ type }) => type);
      await client.until(() => own().length >= 2);
      expect(own()).toEqual(['workflow.paused', 'workflow.completed']);
      await begun.close();
    });

    it('a client that reconnects 50 times with its last cursor receives each event once and in order', async () => {
      const executions = Array.from({ length: 5 }, () => service.execution());
      const seen = new Map(executions.map(({ id }) => [id, [] as unknown[]]));
      const ids = new Set<unknown>();
      let cursor = '0';
      let total = 0;
      const writing = (async () => {
        for (let round = 0; round < 200; round += 1) {
          await Promise.all(
            executions.map((execution) => execution.append(paused(`${round}a`), paused(`${round}b`))),
          );
          if (round % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
        }
      })();
      const take = (client: SocketClient, count: number): void => {
        for (const event of client.events.slice(0, count)) {
          const sequences = seen.get(String(event['execution_id']));
          cursor = String(event['cursor']);
          if (sequences === undefined) continue;
          expect(ids.has(event['id'])).toBe(false);
          ids.add(event['id']);
          sequences.push(event['sequence']);
          total += 1;
        }
      };
      for (let round = 0; round < 50; round += 1) {
        const client = await connect(cursor);
        const wanted = 1 + ((round * 7) % 43);
        await Promise.race([
          client.until(() => client.events.length >= wanted),
          new Promise((resolve) => setTimeout(resolve, 100)),
        ]);
        client.cut();
        take(client, client.events.length);
      }
      await writing;
      const client = await connect(cursor);
      const rest = 2000 - total;
      await client.until(
        () => client.events.filter((event) => seen.has(String(event['execution_id']))).length >= rest,
      );
      take(client, client.events.length);
      const expected = Array.from({ length: 400 }, (_, index) => index + 1);
      for (const sequences of seen.values()) expect(sequences).toEqual(expected);
    });

    it('a socket that resumes from an unknown cursor receives an error and then live events', async () => {
      const client = await connect('zzzzzzzzzz');
      expect(await client.next('resume.failed')).toMatchObject({ reason: 'cursor_unknown' });
      await service.execution().append(paused());
      await client.until(() => client.events.length === 1);
    });

    it('a socket that resumes from an expired cursor receives an error with the oldest cursor that is still valid', async () => {
      const execution = service.execution();
      const client = await connect();
      await execution.append(paused('trimmed'));
      await execution.append(paused('trimmed too'));
      await execution.append(paused('kept'));
      await client.until(() => client.events.length === 3);
      const [first, second, kept] = client.events.map((event) => String(event['cursor']));
      const bound = (await service.app.get(JournalRepository).bounds()).newest;
      const trimmed = decodeCursor(first ?? '')?.position;
      await service.app.get(DataSource).query(`DELETE FROM journal WHERE position < ${bound}`);
      // Stores the highest deleted position of the journal, as retention does after it deletes events.
      await service.app.get(DataSource).query(`DELETE FROM journal_floor`);
      await service.app
        .get(DataSource)
        .query(`INSERT INTO journal_floor (id, position) VALUES (1, ${trimmed})`);
      const late = await connect(first);
      const failed = await late.next('resume.failed');
      expect(failed['reason']).toBe('cursor_expired');
      expect(late.events).toEqual([]);
      const inTime = await connect(second);
      const oldest = await connect(String(failed['oldest_cursor']));
      for (const one of [inTime, oldest]) {
        await one.until(() => one.events.length === 1);
        expect(one.events[0]?.['cursor']).toBe(kept);
        expect(one.received.some(({ type }) => type === 'resume.failed')).toBe(false);
      }
    });
  });

  describe("with the dashboard's cookie", () => {
    async function cookie(): Promise<string> {
      const response = await fetch(`http://${service.url}/v1/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `http://${service.url}` },
        body: JSON.stringify({ email: ADMIN.email, password: ADMIN.password }),
      });
      expect(response.status).toBe(200);
      return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    }

    it('a socket with the cookie and the origin of the dashboard receives events until the sign-in is deleted', async () => {
      const client = await SocketClient.open(service.url, {
        cookie: await cookie(),
        origin: `http://${service.url}`,
      });
      client.send({ type: 'auth' });
      await client.next('auth.success');
      await service.execution().append(paused());
      await client.until(() => client.events.length === 1);
      await service.app.get(DataSource).query('DELETE FROM sign_ins');
      expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
    });

    it.each([
      ['names another site', 'http://evil.example'],
      ['is the text "null"', 'null'],
      ['is missing', undefined],
    ])('a socket with the cookie of the dashboard is rejected if the Origin header %s', async (_, origin) => {
      const headers = { cookie: await cookie(), ...(origin !== undefined && { origin }) };
      const client = await SocketClient.open(service.url, headers);
      client.send({ type: 'auth' });
      expect(await client.ending()).toMatchObject({ close: 4401, code: 'invalid_key' });
      const withKey = await SocketClient.open(service.url, headers);
      withKey.send({ type: 'auth', token: secret });
      await withKey.next('auth.success');
    });
  });

  describe('subscriptions', () => {
    it('after a client subscribes, its socket sends past and then live events of the subscription, and no other events', async () => {
      const followed = service.execution();
      const other = service.execution();
      for (let index = 0; index < 20; index += 1) await followed.append(paused(), paused());
      const client = await connect();
      client.send({ type: 'subscribe', id: 'run', filter: { execution_id: followed.id }, after: '0' });
      await client.next('replay.complete');
      expect(client.received.map(({ type }) => type).filter((type) => type !== 'workflow.paused')).toEqual([
        'auth.success',
        'subscribed',
        'replay.complete',
      ]);
      expect(client.events.map((event) => event['sequence'])).toEqual(
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
      await other.append(paused());
      await followed.append(completed('x'));
      await client.next('workflow.completed');
      expect(client.events.length).toBe(41);
      client.send({ type: 'unsubscribe', id: 'run' });
      expect(await client.next('unsubscribed')).toEqual({ type: 'unsubscribed', id: 'run' });
      await other.append(paused());
      client.send({ type: 'ping' });
      await client.next('pong');
      expect(client.events.length).toBe(41);
    });

    it('a socket receives an event once, even if several subscriptions of the socket match the event', async () => {
      const execution = service.execution();
      const client = await connect();
      client.send({
        type: 'subscribe',
        id: 'a',
        filter: { session_id: execution.scope.sessionId, types: ['workflow.completed'] },
      });
      client.send({
        type: 'subscribe',
        id: 'b',
        filter: { workflow_id: execution.scope.workflowId, types: ['workflow.completed'] },
      });
      client.send({ type: 'subscribe', id: 'c', filter: { types: ['workflow.completed'] } });
      await client.until(() => client.received.filter(({ type }) => type === 'subscribed').length === 3);
      await execution.append(paused(), completed('x'));
      await client.next('workflow.completed');
      client.send({ type: 'ping' });
      await client.next('pong');
      // Before its first subscription, the client received all events of the team, including events of other tests.
      const own = client.events.filter((event) => event['execution_id'] === execution.id);
      expect(own.map(({ type }) => type)).toEqual(['workflow.completed']);
    });

    it.each([
      [
        'an unknown field',
        { type: 'ping', extra: 1 },
        { code: 'invalid_message', details: { field: 'extra' } },
      ],
      [
        'an unknown field of the filter',
        { type: 'subscribe', id: 'x', filter: { execution: 1 } },
        { details: { field: 'filter.execution' } },
      ],
      ['a prototype name as a field', '{"type":"ping","__proto__":1}', { details: { field: '__proto__' } }],
      [
        'an unknown type of event',
        { type: 'subscribe', id: 'x', filter: { types: ['nope'] } },
        { details: { field: 'filter.types[0]' } },
      ],
      [
        'a malformed id',
        { type: 'subscribe', id: 'x', filter: { execution_id: 'nope' } },
        { details: { field: 'filter.execution_id' } },
      ],
      ['a subscription without an id', { type: 'subscribe' }, { details: { field: 'id' } }],
      ['an unknown message', { type: 'shout' }, { code: 'unknown_message_type' }],
      [
        'an unknown subscription',
        { type: 'unsubscribe', id: 'x' },
        { code: 'unknown_subscription', type: 'not_found_error' },
      ],
      [
        'an unknown execution',
        { type: 'subscribe', id: 'x', filter: { execution_id: UNKNOWN_ID } },
        { code: 'unknown_subject' },
      ],
    ])(
      'the service responds to an invalid socket message with an error, and keeps the socket open: %s',
      async (_, message, error) => {
        const client = await connect();
        client.send(message);
        expect(await client.next('error')).toMatchObject({ error });
        client.send({ type: 'ping' });
        await client.next('pong');
      },
    );

    it('the service rejects a subscription to events that the API key cannot read', async () => {
      const elsewhere = service.execution((await service.project()).id);
      await elsewhere.append(paused());
      const { secret: narrow } = await service.key({ projectId: service.admin.project.id });
      const client = await connect(undefined, narrow);
      client.send({ type: 'subscribe', id: 'x', filter: { execution_id: elsewhere.id }, after: '0' });
      expect(await client.next('error')).toMatchObject({
        error: { type: 'permission_error', code: 'out_of_reach' },
      });
      expect(client.events).toEqual([]);
    });

    it('the service rejects subscriptions beyond the maximum number per socket', async () => {
      const client = await connect();
      for (let index = 0; index < 4; index += 1) client.send({ type: 'subscribe', id: String(index) });
      expect(await client.next('error')).toMatchObject({ error: { code: 'too_many_subscriptions' } });
      expect(client.received.filter(({ type }) => type === 'subscribed').length).toBe(3);
    });
  });

  describe('closing', () => {
    it.each([
      ['text that is not JSON', 'hello wfk_secret', 4400, 'malformed_message'],
      ['JSON that is not an object', '[1]', 4400, 'malformed_message'],
      ['an object without a type', '{}', 4400, 'malformed_message'],
      ['bytes', Buffer.from('{"type":"ping"}'), 4400, 'malformed_message'],
      [
        'a malformed cursor',
        { type: 'auth', token: 'x', resume_from: 'NOT A CURSOR' },
        4400,
        'malformed_cursor',
      ],
      ['a first message with an invalid token', { type: 'auth', token: 7 }, 4400, 'invalid_message'],
      ['a first message with an unknown field', { type: 'auth', tokn: 'x' }, 4400, 'invalid_message'],
      ['a message before the `auth` message', { type: 'ping' }, 4401, 'not_authenticated'],
      ['an unknown key', { type: 'auth', token: 'wfk_nothing' }, 4401, 'invalid_key'],
      ['no key', { type: 'auth' }, 4401, 'invalid_key'],
    ])(
      'the service closes a socket after an invalid message or an invalid API key: the client sent %s',
      async (_, message, close, code) => {
        const client = await SocketClient.open(service.url);
        client.send(message);
        expect(await client.ending()).toMatchObject({ close, code });
        expect(client.texts.join()).not.toContain('wfk_');
      },
    );

    it('the service closes a socket with 4401 if the API key is only in the URL or a header', async () => {
      const client = await SocketClient.open(
        service.url,
        { authorization: `Bearer ${secret}` },
        `/ws?token=${secret}`,
      );
      client.send({ type: 'subscribe', id: 'x' });
      expect(await client.ending()).toMatchObject({ close: 4401, code: 'not_authenticated' });
    });

    it('the service closes every socket of a deleted API key with 4401', async () => {
      const { id, secret: token } = await service.key();
      const clients = [await connect(undefined, token), await connect(undefined, token)];
      const bystander = await connect();
      await service.app.get(KeysService, { strict: false }).delete(id);
      for (const client of clients)
        expect(await client.ending()).toMatchObject({
          close: 4401,
          code: 'access_ended',
          type: 'authentication_error',
        });
      bystander.send({ type: 'ping' });
      await bystander.next('pong');
    });

    it('the service closes a socket with 4401 when its API key expires', async () => {
      const { secret: token } = await service.key({ expiresAt: new Date(Date.now() + 1500).toISOString() });
      const client = await connect(undefined, token);
      expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
    });

    it('the service closes a socket with 4401 if its API key loses events:read, but not another scope', async () => {
      const { id, secret: token } = await service.key({ scopes: ['events:read', 'keys:read'] });
      const client = await connect(undefined, token);
      await service.changeScopes(id, ['events:read']);
      await service.app.get(KeyRevocations, { strict: false }).check();
      client.send({ type: 'ping' });
      await client.next('pong');
      await service.changeScopes(id, ['keys:read']);
      expect(await client.ending()).toMatchObject({ close: 4401, code: 'access_ended' });
    });

    it('the service closes a socket with 4403 if its API key does not allow the client address', async () => {
      const { secret: token } = await service.key({ allowedIps: ['203.0.113.7'] });
      const outside = await SocketClient.open(service.url);
      outside.send({ type: 'auth', token });
      expect(await outside.ending()).toMatchObject({ close: 4403, code: 'address_not_allowed' });
      const inside = await SocketClient.open(service.url, { 'x-forwarded-for': '203.0.113.7' });
      inside.send({ type: 'auth', token });
      await inside.next('auth.success');
    });

    it('the service closes a socket with 4403 if its API key lacks the scope events:read', async () => {
      const { secret: token } = await service.key({ scopes: ['workflows:read'] });
      const client = await SocketClient.open(service.url);
      client.send({ type: 'auth', token });
      expect(await client.ending()).toMatchObject({ close: 4403, code: 'missing_scope' });
    });

    it('the service closes a socket with 4408 if no `auth` message arrives in time', async () => {
      const client = await SocketClient.open(service.url);
      expect(await client.ending()).toMatchObject({ close: 4408, code: 'auth_timeout' });
    });

    it('the service closes a socket with 4409 after a second `auth` message', async () => {
      const client = await connect();
      client.send({ type: 'auth', token: secret });
      expect(await client.ending()).toMatchObject({ close: 4409, code: 'already_authenticated' });
    });

    it('the service closes a socket with 4409 if a client uses a subscription id twice', async () => {
      const client = await connect();
      client.send({ type: 'subscribe', id: 'x' });
      client.send({ type: 'subscribe', id: 'x' });
      expect(await client.ending()).toMatchObject({ close: 4409, code: 'duplicate_subscription' });
    });

    it('the service closes a socket with 4429 if the client sends too many messages at once', async () => {
      const client = await connect();
      for (let index = 0; index < 100; index += 1) client.send({ type: 'ping' });
      expect(await client.ending()).toMatchObject({ close: 4429, code: 'too_many_messages' });
    });

    it('the service closes a new socket with 4429 if its API key has the maximum number of open sockets', async () => {
      const { secret: token } = await service.key();
      const clients = await Promise.all(Array.from({ length: 20 }, () => connect(undefined, token)));
      const over = await SocketClient.open(service.url);
      over.send({ type: 'auth', token });
      expect(await over.ending()).toMatchObject({ close: 4429, code: 'too_many_connections' });
      clients[0]?.cut();
      await clients[0]?.until(() => clients[0]?.closeCode);
      for (let tries = 0; ; tries += 1) {
        const again = await SocketClient.open(service.url);
        again.send({ type: 'auth', token });
        await Promise.race([again.next('auth.success'), again.ending()]);
        if (again.closeCode === undefined) break;
        expect(tries).toBeLessThan(50);
      }
      for (const client of clients) client.cut();
    });

    it('the service closes a socket with 4500 after an internal error, without revealing the cause', async () => {
      const dataSource = service.app.get(DataSource);
      const client = await SocketClient.open(service.url);
      await dataSource.query('ALTER TABLE journal RENAME TO journal_away');
      client.send({ type: 'auth', token: secret });
      const ending = await client.ending();
      await dataSource.query('ALTER TABLE journal_away RENAME TO journal');
      expect(ending).toMatchObject({ close: 4500, code: 'server_fault', type: 'server_error' });
      expect(client.texts.join()).not.toMatch(/journal|SQL|relation/);
    });

    it('the service closes a socket with 1009 after a message over 64 KiB', async () => {
      const client = await connect();
      client.send({ type: 'ping', padding: 'x'.repeat(65_536) });
      expect((await client.ending()).close).toBe(1009);
    });
  });

  it('the service rejects a WebSocket upgrade on a path other than /ws with 404 and a JSON error', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      get(`http://${service.url}/nowhere`, { headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      }).on('error', reject);
    });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { type: 'not_found_error', request_id: expect.any(String) },
    });
  });
});
