import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventStreams } from '../../src/events/event-streams.js';
import { Feeds } from '../../src/events/feeds.js';
import { KeysService } from '../../src/keys/index.js';
import { ENTITIES } from '../../src/schema.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { completed, EventsApplication, paused, type TestExecution } from '../support/events-application.js';

interface Listed {
  readonly data: readonly {
    readonly sequence: number;
    readonly execution_id: string;
    readonly cursor: string;
    readonly type: string;
  }[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

describe.each(await databaseKinds())('events over HTTP on $name', ({ create }) => {
  let database: TestDatabase;
  let service: EventsApplication;

  beforeAll(async () => {
    database = await create(ENTITIES);
    service = await EventsApplication.start(database.settings, {
      connectionsPerKey: 2,
      heartbeatMs: 50,
      pageSize: 3,
    });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  function get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    secret = service.admin.secret,
  ): Promise<Response> {
    return fetch(`http://${service.url}${path}`, {
      headers: { authorization: `Bearer ${secret}`, ...headers },
    });
  }

  async function list(path: string): Promise<Listed> {
    const response = await get(path);
    expect(response.status).toBe(200);
    return (await response.json()) as Listed;
  }

  async function refusal(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    secret?: string,
  ): Promise<unknown> {
    const response = await get(path, headers, secret);
    const { error } = (await response.json()) as { error: { code: string; details?: { field?: string } } };
    return [response.status, error.code, error.details?.field];
  }

  async function withEvents(count: number, end = false): Promise<TestExecution> {
    const execution = service.execution();
    for (let index = 0; index < count; index += 2)
      await execution.append(paused(`${index}`), paused(`${index + 1}`));
    if (end) await execution.append(completed('done'));
    return execution;
  }

  describe('pages', () => {
    it('the event list of an execution returns the events after a given sequence number', async () => {
      const { id } = await withEvents(10);
      const { data, pagination } = await list(`/v1/executions/${id}/events?after=3&limit=4`);
      expect(data.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7]);
      expect(pagination).toEqual({ total: 7, limit: 4, offset: 0, has_more: true });
      const rest = await list(`/v1/executions/${id}/events?after=3&limit=4&offset=4`);
      expect(rest.data.map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
      expect(rest.pagination).toEqual({ total: 7, limit: 4, offset: 4, has_more: false });
    });

    it('a client that pages by cursor gets each event of an execution once, at any page size', async () => {
      const execution = await withEvents(9);
      await withEvents(3, true);
      for (const limit of [1, 3, 100]) {
        const walked: string[] = [];
        let cursor = '0';
        for (let more = true; more;) {
          const { data, pagination } = await list(`/v1/events?limit=${limit}&after=${cursor}`);
          for (const event of data) walked.push(`${event.execution_id} ${event.sequence}`);
          more = pagination['has_more'] === true;
          cursor = String(pagination['next_cursor']);
        }
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked.filter((event) => event.startsWith(execution.id)).length).toBe(10);
      }
    });

    it('events that a newer version of the service wrote are returned unchanged, with all later events', async () => {
      const { cursor } = (await list(`/v1/executions/${(await withEvents(1)).id}/events`)).data.at(-1)!;
      const execution = service.execution();
      await execution.append(paused('before'), paused('newer'), paused('after'));
      await execution.append(completed('done'));
      await service.app.get(DataSource).query(
        `UPDATE journal SET body = replace(replace(body,
           '["workflow.paused",1,null,null', '["workflow.paused",99,null,null'),
           '["workflow.completed",1', '["workflow.exploded",1')
         WHERE execution_id = '${execution.id}'`,
      );
      const told = [
        [1, 'workflow.paused', { status: 'paused', reason: 'before' }],
        [2, 'workflow.paused', { status: 'paused', reason: 'newer' }],
        [3, 'workflow.paused', { status: 'paused', reason: 'after' }],
        [4, 'workflow.exploded', expect.objectContaining({ output: 'done' })],
      ];
      for (const path of [`/v1/executions/${execution.id}/events`, `/v1/events?after=${cursor}`]) {
        const { data } = await list(path);
        expect(data.map(({ sequence, type, ...event }) => [sequence, type, Object(event)['data']])).toEqual(
          told,
        );
      }
      const response = await get(`/v1/events?after=${cursor}`, { accept: 'text/event-stream' });
      await response.body?.cancel();
      expect(response.status).toBe(200);
    });

    it('the event lists can be filtered by execution, event type and session', async () => {
      const { id } = await withEvents(2, true);
      const { data } = await list(`/v1/events?execution_id=${id}&types=workflow.completed`);
      expect(data.map(({ type, sequence }) => [type, sequence])).toEqual([['workflow.completed', 3]]);
      const session = await list(`/v1/sessions/${service.admin.project.id}/events?limit=2`);
      expect(session.data.length).toBe(2);
    });

    it('an event with a large output contains a URL that returns the complete output', async () => {
      const execution = service.execution();
      const output = 'ü'.repeat(20_000);
      await execution.append(paused('short'), completed(output));
      const { data } = await list(`/v1/executions/${execution.id}/events`);
      const { output_url } = (data[1] as unknown as { data: { output_url: string } }).data;
      expect(await (await get(output_url)).json()).toBe(output);
      expect(await refusal(`/v1/executions/${execution.id}/events/1/output`)).toEqual([
        404,
        'payload_not_found',
        undefined,
      ]);
    });

    it('the service rejects requests for events with malformed, unknown or forbidden ids and cursors', async () => {
      const { id } = await withEvents(2);
      const foreign = service.execution((await service.foreignProject()).id);
      await foreign.append(completed('x'.repeat(20_000)));
      const { secret } = await service.key({ scopes: ['workflows:read'] });
      const unknown = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';
      expect(await refusal('/v1/executions/nope/events')).toEqual([400, 'is_uuid', 'id']);
      expect(await refusal(`/v1/executions/${id}/events?after=-1`)).toEqual([
        400,
        'invalid_request',
        'after',
      ]);
      expect(await refusal(`/v1/executions/${id}/events?cursor=1`)).toEqual([
        400,
        'invalid_request',
        'cursor',
      ]);
      expect(await refusal(`/v1/executions/${id}/events/0/output`)).toEqual([400, 'is_sequence', 'sequence']);
      expect(await refusal(`/v1/executions/${id}/events/1/secret`)).toEqual([400, 'is_in', 'field']);
      expect(await refusal('/v1/events?after=NOPE')).toEqual([400, 'malformed_cursor', 'after']);
      expect(await refusal('/v1/events?after=zzzzzzzzzz')).toEqual([400, 'cursor_unknown', 'after']);
      expect(await refusal('/v1/events?types=nope')).toEqual([
        400,
        'invalid_request',
        expect.stringMatching(/^types/),
      ]);
      expect(await refusal(`/v1/executions/${unknown}/events`)).toEqual([
        404,
        'execution_not_found',
        undefined,
      ]);
      expect(await refusal(`/v1/sessions/${unknown}/events`)).toEqual([404, 'session_not_found', undefined]);
      for (const path of ['events', 'events/1/output'])
        expect(await refusal(`/v1/executions/${foreign.id}/${path}`)).toEqual([
          403,
          'project_out_of_reach',
          undefined,
        ]);
      expect(await refusal(`/v1/executions/${id}/events`, {}, secret)).toEqual([
        403,
        'missing_scope',
        undefined,
      ]);
      expect((await list(`/v1/events?execution_id=${foreign.id}`)).data).toEqual([]);
    });
  });

  describe('streams', () => {
    const STREAM = { accept: 'text/event-stream' };

    it('an event stream sends past and live events of an execution, and closes when the execution ends', async () => {
      const execution = await withEvents(8);
      const response = await get(`/v1/executions/${execution.id}/events?after=2`, STREAM);
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      await execution.append(paused('live'), completed('done'));
      const text = await response.text();
      const { data } = await list(`/v1/executions/${execution.id}/events?after=2`);
      const blocks = text.split('\n\n').filter((block) => block.startsWith('id: '));
      expect(blocks).toEqual(
        data.map((event) => `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}`),
      );
      expect(text.startsWith('retry: ')).toBe(true);
    });

    it('an event stream resumes after Last-Event-ID, and returns 204 if the execution has no further event', async () => {
      const execution = await withEvents(4, true);
      const { data } = await list(`/v1/executions/${execution.id}/events`);
      const path = `/v1/executions/${execution.id}/events`;
      const text = await (await get(path, { ...STREAM, 'last-event-id': String(data[2]?.cursor) })).text();
      expect(text.match(/"sequence":\d+/g)).toEqual(['"sequence":4', '"sequence":5']);
      const over = await get(path, { ...STREAM, 'last-event-id': String(data[4]?.cursor) });
      expect(over.status).toBe(204);
      expect(await refusal(path, { ...STREAM, 'last-event-id': 'NOPE' })).toEqual([
        400,
        'malformed_cursor',
        'Last-Event-ID',
      ]);
    });

    it('a live event stream sends keep-alive comments, and closes when its API key is deleted', async () => {
      const { id, secret } = await service.key();
      const response = await get('/v1/events?types=workflow.completed', STREAM, secret);
      await (await withEvents(2)).append(completed('seen'));
      const reader = (response.body as ReadableStream<Uint8Array>)
        .pipeThrough(new TextDecoderStream())
        .getReader();
      let text = '';
      const readUntil = async (done: () => boolean): Promise<void> => {
        while (!done()) {
          const { value, done: ended } = await reader.read();
          text += value ?? '';
          if (ended) return;
        }
      };
      await readUntil(() => text.includes('"output":"seen"') && text.includes(': ping'));
      expect(text).not.toContain('workflow.paused');
      await service.app.get(KeysService, { strict: false }).delete(id);
      await readUntil(() => false);
    });

    it('an event stream from a sequence number that the execution does not reach ends with the execution', async () => {
      const execution = await withEvents(2);
      const response = await get(`/v1/executions/${execution.id}/events?after=1000`, STREAM);
      await execution.append(completed('done'));
      expect(await response.text()).not.toContain('event: workflow.completed');
    });

    it('an event stream whose client disconnects before the stream starts does not count as open', async () => {
      const { secret } = await service.key();
      const feeds = service.app.get(Feeds, { strict: false });
      const replayStart = feeds.replayStart.bind(feeds);
      const serve = vi.spyOn(service.app.get(EventStreams, { strict: false }), 'serve');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        vi.spyOn(feeds, 'replayStart').mockImplementationOnce(async (cursor) => {
          begun.resolve();
          await gate.promise;
          return replayStart(cursor);
        });
        const client = new AbortController();
        const request = fetch(`http://${service.url}/v1/events`, {
          headers: { authorization: `Bearer ${secret}`, ...STREAM },
          signal: client.signal,
        });
        await begun.promise;
        client.abort();
        await expect(request).rejects.toThrow('aborted');
        await until('the end of the connection', () => serve.mock.lastCall?.[1].destroyed === true);
        gate.resolve();
      }
      const open = [await get('/v1/events', STREAM, secret), await get('/v1/events', STREAM, secret)];
      expect(open.map(({ status }) => status)).toEqual([200, 200]);
      for (const response of open) await response.body?.cancel();
    });

    it('the service rejects event streams beyond the maximum number per API key', async () => {
      const { secret } = await service.key();
      const open = [await get('/v1/events', STREAM, secret), await get('/v1/events', STREAM, secret)];
      expect(await refusal('/v1/events', STREAM, secret)).toEqual([429, 'too_many_streams', undefined]);
      for (const response of open) await response.body?.cancel();
    });
  });
});
