import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { FirstAdminService } from '../../src/auth/index.js';
import { Retention } from '../../src/retention/retention.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ClockedService } from '../support/clocked-service.js';
import { SocketClient } from '../support/socket-client.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

for (const kind of await databaseKinds())
  describe(`retention on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: ClockedService;
    let headers: Readonly<Record<string, string>>;
    let workflowId: string;

    beforeEach(async () => {
      database = await kind.create();
      service = await ClockedService.start({ RETENTION_DAYS: '2' }, database.settings);
      const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
      headers = { authorization: `Bearer ${secret}` };
      const { body } = await service.call(
        'POST',
        '/v1/workflows',
        { name: 'w', nodes: [{ id: 'a', type: 'set', with: { value: '{{ input }}' } }] },
        headers,
      );
      workflowId = body.id;
    });

    afterEach(async () => {
      await service.close();
      await database.drop();
    });

    const get = async (path: string) => service.call('GET', path, undefined, headers);
    const trim = (): Promise<void> => service.app.get(Retention, { strict: false }).run();
    const start = async (input: unknown, more: object = {}): Promise<{ id: string }> => {
      const path = `/v1/workflows/${workflowId}/executions?wait=60`;
      return (await service.call('POST', path, { input, ...more }, headers)).body;
    };
    const connect = async (resume_from?: string): Promise<SocketClient> => {
      const client = await SocketClient.open(service.url.replace('http://', ''));
      client.send({
        type: 'auth',
        token: headers['authorization']?.slice(7),
        ...(resume_from === undefined ? {} : { resume_from }),
      });
      return client;
    };

    it('retention deletes executions that ended more than RETENTION_DAYS ago, and keeps newer and unfinished executions', async () => {
      const old = await start('x'.repeat(40_000));
      const far = new Date(service.clock.now() + 100 * DAY).toISOString();
      const waiting = (
        await service.call(
          'POST',
          `/v1/workflows/${workflowId}/executions`,
          { input: 1, scheduled_for: far },
          headers,
        )
      ).body;
      const audit = (await get('/v1/audit-log')).body.pagination.total;
      service.clock.advance(2 * DAY + HOUR);
      const fresh = await start('kept');
      await trim();
      expect((await get(`/v1/executions/${old.id}`)).status).toBe(404);
      expect((await get(`/v1/executions/${old.id}/events`)).status).toBe(404);
      const list = (await get('/v1/executions')).body;
      expect(list.data.map(({ id }: { id: string }) => id)).toEqual([fresh.id, waiting.id]);
      expect(list.pagination.total).toBe(2);
      expect((await get(`/v1/executions/${fresh.id}`)).body.output).toBe('kept');
      expect((await get(`/v1/executions/${waiting.id}/events`)).body.data).toHaveLength(1);
      expect((await get('/v1/audit-log')).body.pagination.total).toBe(audit);
      for (const table of ['journal', 'payloads', 'executions'])
        expect(
          await service.app
            .get(DataSource)
            .query(
              `SELECT 1 FROM ${table} WHERE ${table === 'executions' ? 'id' : 'execution_id'} = '${old.id}'`,
            ),
        ).toEqual([]);
    });

    it('a client that resumes from an expired cursor gets `resume.failed`, even if an older unfinished execution remains', async () => {
      await service.call(
        'POST',
        `/v1/workflows/${workflowId}/executions`,
        { input: 1, scheduled_for: new Date(service.clock.now() + 100 * DAY).toISOString() },
        headers,
      );
      await start('first');
      const before = (await get('/v1/events')).body.data.map(({ cursor }: { cursor: string }) => cursor);
      service.clock.advance(2 * DAY + HOUR);
      await trim();
      const fresh = await start('second');
      const late = await connect(before[0]);
      const failed = await late.next('resume.failed');
      expect(failed).toMatchObject({ reason: 'cursor_expired' });
      const inTime = await connect(String(failed['oldest_cursor']));
      await inTime.until(() => inTime.events.some(({ type }) => type === 'workflow.completed'));
      expect(new Set(inTime.events.map((event) => event['execution_id']))).toEqual(new Set([fresh.id]));
      expect(inTime.received.some(({ type }) => type === 'resume.failed')).toBe(false);
      SocketClient.cutAll();
    });

    it('retention deletes nothing if the previous run was less than an hour ago', async () => {
      const old = await start(1);
      service.clock.advance(2 * DAY + HOUR);
      await trim();
      expect((await get(`/v1/executions/${old.id}`)).status).toBe(404);
      const next = await start(2);
      await service.app
        .get(DataSource)
        .query(`UPDATE executions SET finished_at = '2020-01-01T00:00:00.000Z' WHERE id = '${next.id}'`);
      await trim();
      expect((await get(`/v1/executions/${next.id}`)).status).toBe(200);
      service.clock.advance(HOUR);
      await trim();
      expect((await get(`/v1/executions/${next.id}`)).status).toBe(404);
    });

    it('retention deletes the records of session state changes after a day, but not the session state', async () => {
      const session = (await service.call('POST', '/v1/sessions', {}, headers)).body;
      const nodes = [{ id: 'a', type: 'session', with: { set: { n: 1 } } }];
      const workflow = (await service.call('POST', '/v1/workflows', { name: 's', nodes }, headers)).body;
      const path = `/v1/workflows/${workflow.id}/executions?wait=60`;
      await service.call('POST', path, { session_id: session.id }, headers);
      const changes = async (): Promise<number> =>
        (await service.app.get(DataSource).query<unknown[]>('SELECT id FROM session_state_changes')).length;
      await trim();
      expect(await changes()).toBe(1);
      service.clock.advance(DAY + HOUR);
      await trim();
      expect(await changes()).toBe(0);
      expect((await get(`/v1/sessions/${session.id}`)).body).toMatchObject({ state: { n: 1 } });
    });

    it('retention frees the space of large inputs, and on SQLite reduces the size of the database file', async () => {
      const { settings } = database;
      const size = async (): Promise<number> => {
        if (settings.dialect === 'sqlite') return statSync(settings.path).size;
        const [row] = await service.app
          .get(DataSource)
          .query<{ bytes: string | null }[]>('SELECT sum(octet_length(body)) AS bytes FROM payloads');
        return Number(row?.bytes ?? 0);
      };
      for (let n = 0; n < 30; n += 1) await start('x'.repeat(200_000));
      // This run of retention moves the WAL into the database file, so that the measured file size includes all data.
      await service.app.get(Retention, { strict: false }).run();
      const full = await size();
      expect(full).toBeGreaterThan(1_000_000);
      service.clock.advance(2 * DAY + HOUR);
      await trim();
      expect(await size()).toBeLessThan(full / 4);
    });
  });
