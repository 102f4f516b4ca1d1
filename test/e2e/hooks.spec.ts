import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirstAdminService } from '../../src/auth/index.js';
import { OldDeliveries } from '../../src/hooks/old-deliveries.js';
import { ClockedService, type ClockedAnswer } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';

const START = Date.parse('2030-01-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const SECRETS: Readonly<Record<string, string>> = {
  GITHUB: "It's a Secret to Everybody",
  STRIPE: 'whsec_stripe',
  STANDARD: `whsec_${randomBytes(24).toString('base64')}`,
  TOKEN: 'a-bearer-token',
  LOGIN: 'user:pass:word',
};

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

describe.each(await databaseKinds())('hooks on $name', ({ create }) => {
  let database: TestDatabase;
  let clock: ManualClock;
  let service: ClockedService;
  let headers: Readonly<Record<string, string>>;
  /** Id of a workflow that immediately returns its input as output. */
  let echo: string;
  /** Id of a workflow that waits for the signal `go` and returns the payload of the signal as output. */
  let waiting: string;

  beforeAll(async () => {
    database = await create();
    clock = new ManualClock(START);
    service = await ClockedService.start(
      { HTTP_BODY_LIMIT: '65536', SECRETS_KEY: 'k'.repeat(40) },
      database.settings,
      clock,
    );
    const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
    headers = { authorization: `Bearer ${secret}` };
    for (const [name, value] of Object.entries(SECRETS)) await call('POST', '/v1/secrets', { name, value });
    echo = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
    waiting = await workflow([{ id: 'hold', type: 'wait', with: { signal: 'go' } }]);
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
  });

  function call(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    return service.call(method, path, body, { ...headers, ...more });
  }

  async function workflow(nodes: readonly object[], more: object = {}): Promise<string> {
    const { status, body } = await call('POST', '/v1/workflows', { name: 'Hooked', nodes, ...more });
    expect(status).toBe(201);
    return body.id;
  }

  async function hook(fields: object = {}): Promise<{ readonly id: string; readonly url: string }> {
    const { status, body } = await call('POST', '/v1/hooks', { workflow_id: echo, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  }

  /** Sends a request to a hook URL without an API key. */
  async function send(
    url: string,
    { method = 'POST', headers: given, body }: Sent = {},
  ): Promise<ClockedAnswer> {
    const response = await fetch(url, {
      method,
      headers: { ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}), ...given },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  }

  async function deliveries(id: string): Promise<readonly Record<string, unknown>[]> {
    return (await call('GET', `/v1/hooks/${id}/deliveries?order=asc&limit=100`)).body.data;
  }

  async function executionsOf(id: string): Promise<readonly { readonly id: string }[]> {
    const { body } = await call('GET', `/v1/executions?trigger=hook&limit=100`);
    return body.data.filter((one: { trigger: { id: string } }) => one.trigger.id === id);
  }

  async function ended(id: string): Promise<ClockedAnswer['body']> {
    return until(`the end of ${id}`, async () => {
      const { body } = await call('GET', `/v1/executions/${id}`);
      return ['completed', 'failed', 'cancelled'].includes(body.status) && body;
    });
  }

  describe('the hook resource', () => {
    it('the response to a new hook has all documented fields, and only this response shows the hook URL', async () => {
      const {
        status,
        body,
        headers: given,
      } = await call('POST', '/v1/hooks', { workflow_id: echo, name: 'Pushes' });
      expect(status).toBe(201);
      expect(given.get('location')).toBe(`/v1/hooks/${body.id}`);
      expect(given.get('etag')).toBe('"1"');
      expect(given.get('cache-control')).toBe('no-store');
      const { url, ...shown } = body;
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/whk_[\w-]{32}$/);
      expect(shown).toEqual({
        id: expect.any(String),
        project_id: expect.any(String),
        workflow_id: echo,
        name: 'Pushes',
        action: 'start',
        signal: null,
        methods: ['POST'],
        verification: { type: 'none' },
        input: '{{ request.body }}',
        deduplication: null,
        respond: 'accepted',
        status: 'active',
        last_delivery_at: null,
        url_prefix: url.slice(0, url.indexOf('whk_') + 8),
        created_at: '2030-01-01T12:00:00.000Z',
        updated_at: '2030-01-01T12:00:00.000Z',
      });
      expect((await call('GET', `/v1/hooks/${body.id}`)).body).toEqual(shown);
      const list = await call('GET', `/v1/hooks?workflow_id=${echo}&status=active`);
      expect(list.body.data).toContainEqual(shown);
    });

    it('no table of the database contains the token of a hook in plain text', async () => {
      const { url } = await hook();
      const token = url.slice(url.indexOf('whk_'));
      const data = service.app.get(DataSource, { strict: false });
      for (const table of ['hooks', 'hook_tokens', 'audit_log', 'idempotency_keys'])
        expect(JSON.stringify(await data.query(`SELECT * FROM ${table}`))).not.toContain(token);
    });

    it('creating a hook again with the same Idempotency-Key returns the first hook without its URL', async () => {
      const once = { 'idempotency-key': 'hook-1' };
      const { url, ...first } = (await call('POST', '/v1/hooks', { workflow_id: echo }, once)).body;
      const second = await call('POST', '/v1/hooks', { workflow_id: echo }, once);
      expect(url).toEqual(expect.any(String));
      expect([second.status, second.body]).toEqual([201, first]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    });

    it.each([
      ['no workflow', { workflow_id: null }, 'workflow_id'],
      ['a signal for the action start', { signal: { name: 'go', execution_key: 'k' } }, 'signal'],
      ['no signal for the action signal', { action: 'signal' }, 'signal'],
      [
        'a signal name with a space',
        { action: 'signal', signal: { name: 'g o', execution_key: 'k' } },
        'signal.name',
      ],
      [
        'output as the response of a signal',
        { action: 'signal', signal: { name: 'go', execution_key: 'k' }, respond: 'output' },
        'respond',
      ],
      ['a malformed template', { input: { a: '{{ request. }}' } }, 'input.a'],
      ['a template with an unknown root', { deduplication: '{{ input.id }}' }, 'deduplication'],
      ['a template with secrets', { input: '{{ secrets.TOKEN }}' }, 'input'],
      ['an unknown verification type', { verification: { type: 'gitlab' } }, 'verification.type'],
      ['no secret for verification github', { verification: { type: 'github' } }, 'verification.secret'],
      ['an unknown secret', { verification: { type: 'github', secret: 'NO' } }, 'verification.secret'],
      [
        'a value in place of the name of a secret',
        { verification: { type: 'github', secret: 'value' } },
        'verification.secret',
      ],
      [
        'a secret for verification none',
        { verification: { type: 'none', secret: 'TOKEN' } },
        'verification.secret',
      ],
      [
        'a tolerance for verification github',
        { verification: { type: 'github', secret: 'GITHUB', tolerance_seconds: 5 } },
        'verification.tolerance_seconds',
      ],
      [
        'a header with a line break',
        { verification: { type: 'bearer', secret: 'TOKEN', header: 'a\nb' } },
        'verification.header',
      ],
      ['no methods', { methods: [] }, 'methods'],
      ['an unknown method', { methods: ['TRACE'] }, 'methods[0]'],
      ['an unknown field', { url: 'x' }, 'url'],
    ])(
      'the API responds 400 to a new hook with %s and names the invalid field',
      async (_what, fields, field) => {
        const { status, body } = await call('POST', '/v1/hooks', { workflow_id: echo, ...fields });
        expect([status, body.error.type, body.error.details?.field]).toEqual([
          400,
          'validation_error',
          field,
        ]);
      },
    );

    it('the API changes a hook if If-Match has the current ETag, and responds 412 otherwise', async () => {
      const { id } = await hook();
      const changed = await call('PATCH', `/v1/hooks/${id}`, { name: 'B' }, { 'if-match': '"1"' });
      expect([changed.status, changed.body.name, changed.headers.get('etag')]).toEqual([200, 'B', '"2"']);
      const lost = await call('PATCH', `/v1/hooks/${id}`, { name: 'C' }, { 'if-match': '"1"' });
      expect(lost.status).toBe(412);
    });

    it('the URL of a deleted hook responds 404, and the audit log records the deletion', async () => {
      const { id, url } = await hook();
      await send(url, { body: '{}' });
      expect((await call('DELETE', `/v1/hooks/${id}`)).status).toBe(204);
      expect((await send(url, { body: '{}' })).status).toBe(404);
      expect((await call('GET', `/v1/hooks/${id}`)).status).toBe(404);
      const { body } = await call('GET', '/v1/audit-log?limit=100');
      const actions = body.data.filter((entry: { target: { id: string } }) => entry.target.id === id);
      expect(actions.map((entry: { action: string }) => entry.action)).toEqual([
        'hook.deleted',
        'hook.created',
      ]);
    });

    it('after the rotation of a hook URL, the hook accepts the old URL only until the overlap ends', async () => {
      const { id, url } = await hook();
      const { status, body } = await call('POST', `/v1/hooks/${id}/rotate`, { overlap_seconds: 60 });
      expect([status, body.url === url]).toEqual([200, false]);
      expect((await send(url, { body: '{}' })).status).toBe(202);
      expect((await send(body.url, { body: '{}' })).status).toBe(202);
      const next = (await call('POST', `/v1/hooks/${id}/rotate`)).body;
      expect((await send(body.url, { body: '{}' })).status).toBe(404);
      clock.advance(60_000);
      expect((await send(url, { body: '{}' })).status).toBe(404);
      expect((await send(next.url, { body: '{}' })).status).toBe(202);
    });
  });

  describe('starts by hooks', () => {
    it('a hook starts an execution with the request body as input and records the delivery', async () => {
      const { id, url } = await hook();
      const { status, body } = await send(url, { body: '{"order":{"id":7}}' });
      expect([status, body]).toEqual([202, { execution_id: expect.any(String) }]);
      expect(await ended(body.execution_id)).toMatchObject({
        workflow_id: echo,
        status: 'completed',
        trigger: { type: 'hook', id },
        input: { order: { id: 7 } },
      });
      expect(await deliveries(id)).toEqual([
        {
          id: expect.any(String),
          received_at: expect.any(String),
          method: 'POST',
          address: '127.0.0.1',
          content_type: 'application/json',
          size_bytes: 18,
          source: 'sender',
          outcome: 'started',
          status: 202,
          code: null,
          reason: null,
          key: null,
          execution_id: body.execution_id,
        },
      ]);
      expect((await call('GET', `/v1/hooks/${id}`)).body.last_delivery_at).toEqual(expect.any(String));
    });

    it('the input template of a hook can read the body, headers, query, method and raw text of a request', async () => {
      const { url } = await hook({
        methods: ['PUT', 'GET'],
        respond: 'output',
        input: {
          event: '{{ request.headers["x-event"] }}',
          ids: '{{ request.body.ids.map(i, i * 2) }}',
          page: '{{ request.query.page }}',
          text: '{{ request.method }} {{ request.raw.size() }}',
        },
      });
      const { status, body } = await send(`${url}?page=2`, {
        method: 'PUT',
        headers: { 'X-Event': 'push' },
        body: '{"ids":[1,2]}',
      });
      expect([status, body]).toEqual([200, { event: 'push', ids: [2, 4], page: '2', text: 'PUT 13' }]);
    });

    it('a hook parses form, text, JSON and empty bodies, and converts repeated form fields to lists', async () => {
      const { url } = await hook({
        respond: 'output',
        methods: ['POST', 'GET'],
        input: '{{ [request.body, request.query] }}',
      });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const cases = [
        [{ headers: form, body: 'a=1&b=x%20y&b=z' }, [{ a: '1', b: ['x y', 'z'] }, {}]],
        [
          { headers: form, body: `${'a=&'.repeat(1_000)}last=1` },
          [{ a: Array(1_000).fill(''), last: '1' }, {}],
        ],
        [{ headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'grüße' }, ['grüße', {}]],
        [{ headers: { 'content-type': 'application/xml' }, body: '<a/>' }, ['<a/>', {}]],
        [{ body: '[1,{"a":null}]' }, [[1, { a: null }], {}]],
        [{ headers: { 'content-type': 'application/vnd.x+json' }, body: '"s"' }, ['s', {}]],
        [{}, [null, {}]],
        [{ method: 'GET' }, [null, { q: ['1', '2'] }], '?q=1&q=2'],
      ] as const;
      for (const [sent, output, query = ''] of cases) {
        const { status, body } = await send(url + query, sent);
        expect([status, body]).toEqual([200, output]);
      }
    });

    it('the input template of a hook cannot read credentials in the headers of a request', async () => {
      const { url } = await hook({
        respond: 'output',
        input: '{{ request.headers }}',
        verification: { type: 'bearer', secret: 'TOKEN', header: 'X-Token' },
      });
      const sent = { 'x-token': 'a-bearer-token', authorization: 'Basic abc', cookie: 'a=b', 'x-other': 'y' };
      const { body } = await send(url, { headers: sent, body: '{}' });
      expect(body).toMatchObject({ 'x-other': 'y' });
      expect(JSON.stringify(body)).not.toMatch(/a-bearer-token|Basic abc|a=b/);
    });

    it.each([
      ['a string', 'text'],
      ['null', null],
      ['false', false],
      ['a number', 0.5],
    ])(
      'a hook with `respond: output` returns the output of its execution as JSON if the output is %s',
      async (_what, value) => {
        const { url } = await hook({ respond: 'output', input: { value } });
        const pass = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input.value }}' } }]);
        const other = await hook({ workflow_id: pass, respond: 'output', input: { value } });
        expect((await send(url)).body).toEqual({ value });
        const { status, body, headers: given } = await send(other.url);
        expect([status, body, given.get('content-type')]).toEqual([
          200,
          value,
          'application/json; charset=utf-8',
        ]);
      },
    );

    it('a hook with `respond: output` responds 502 with the execution id if the execution fails', async () => {
      const failing = await workflow([{ id: 'stop', type: 'fail', with: { message: 'No.' } }]);
      const { id, url } = await hook({ workflow_id: failing, respond: 'output' });
      const { status, body } = await send(url, { headers: { 'webhook-id': 'm1' }, body: '{}' });
      expect(status).toBe(502);
      expect(body.error).toMatchObject({
        type: 'execution_failed_error',
        details: { execution_id: expect.any(String), status: 'failed' },
      });
      const repeat = await send(url, { headers: { 'webhook-id': 'm1' }, body: '{}' });
      expect(repeat.body.error.details).toEqual(body.error.details);
      expect(await deliveries(id)).toMatchObject([{ outcome: 'started' }, { outcome: 'repeated' }]);
    });

    it('a hook with `respond: output` waits for the end of its execution and returns the output', async () => {
      const { url } = await hook({ workflow_id: waiting, respond: 'output', deduplication: 'late' });
      const answer = send(url, { body: '{}' });
      const { data } = await until('the execution', async () => {
        const { body } = await call('GET', `/v1/workflows/${waiting}/executions?status=waiting`);
        return body.data.length > 0 && body;
      });
      await call('POST', `/v1/executions/${data[0].id}/signals/go`, { payload: { ok: 1 } });
      expect(await answer).toMatchObject({ status: 200, body: { ok: 1 } });
    });
  });

  describe('rejected deliveries', () => {
    it.each([
      ['an unknown token', 'whk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['a malformed token', 'x'],
      ['a prototype name as token', '__proto__'],
    ])('the service responds 404 to a hook URL with %s', async (_what, token) => {
      const { status, body } = await send(`${service.url}/hooks/${token}`, { body: '{}' });
      expect([status, body.error.type, body.error.code]).toEqual([404, 'not_found_error', 'hook_not_found']);
    });

    it('a hook responds 405 with an Allow header to a method that the hook does not accept', async () => {
      const { url } = await hook({ methods: ['POST', 'PUT'] });
      const { status, headers: given } = await send(url, { method: 'GET' });
      expect([status, given.get('allow')]).toEqual([405, 'POST, PUT']);
    });

    it('a paused hook responds 409, and accepts the same request after the hook is active again', async () => {
      const { id, url } = await hook();
      await call('PATCH', `/v1/hooks/${id}`, { status: 'paused' });
      const { status, body } = await send(url, { headers: { 'webhook-id': 'p' }, body: '{}' });
      expect([status, body.error.code]).toEqual([409, 'hook_paused']);
      await call('PATCH', `/v1/hooks/${id}`, { status: 'active' });
      expect((await send(url, { headers: { 'webhook-id': 'p' }, body: '{}' })).status).toBe(202);
    });

    const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
    it.each([
      ['invalid UTF-8', { body: bytes(0x22, 0xff, 0x22) }, 400, 'invalid_utf8'],
      ['malformed JSON', { body: '{' }, 400, 'malformed_json'],
      ['a __proto__ key', { body: '{"a":{"__proto__":1}}' }, 400, 'forbidden_key'],
      ['an escaped NUL', { body: '{"a":"\\u0000"}' }, 400, 'nul_character'],
      ['a NUL byte', { headers: { 'content-type': 'text/plain' }, body: '\0' }, 400, 'nul_character'],
      ['half of a surrogate pair', { body: '"\\ud800"' }, 400, 'lone_surrogate'],
      ['a body with 65 levels', { body: `${'['.repeat(65)}${']'.repeat(65)}` }, 400, 'too_deep'],
      [
        'a form with a __proto__ field',
        { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '__proto__=1' },
        400,
        'forbidden_key',
      ],
      [
        'an image as body',
        { headers: { 'content-type': 'image/png' }, body: 'x' },
        415,
        'unsupported_media_type',
      ],
      [
        'a multipart form',
        { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' },
        415,
        'unsupported_media_type',
      ],
      [
        'the character set UTF-16',
        { headers: { 'content-type': 'application/json; charset=utf-16' }, body: '{}' },
        415,
        'unsupported_media_type',
      ],
      ['a body over the limit', { body: JSON.stringify('x'.repeat(65_536)) }, 413, 'body_too_large'],
      [
        'a message id that is too long',
        { headers: { 'webhook-id': 'x'.repeat(256) }, body: '{}' },
        400,
        'invalid_key',
      ],
    ])(
      'a hook rejects a request with %s, starts no execution and records the rejected delivery',
      async (_what, sent, status, code) => {
        const { id, url } = await hook();
        const { status: given, body } = await send(url, sent);
        expect([given, body.error?.code]).toEqual([status, code]);
        expect(await deliveries(id)).toMatchObject([
          { outcome: 'refused', status, code, reason: expect.any(String), execution_id: null },
        ]);
        expect(await executionsOf(id)).toEqual([]);
      },
    );

    it('a hook responds 431 with a standard error body to a request with a header of 20,000 characters', async () => {
      const { url } = await hook();
      const { status, body } = await send(url, { headers: { 'x-huge': 'x'.repeat(20_000) }, body: '{}' });
      expect([status, body.error.type]).toEqual([431, 'validation_error']);
    });

    it('a hook responds 400 and names the template if a template cannot be evaluated for the request body', async () => {
      const { id, url } = await hook({ input: { a: '{{ request.body.order.id }}' } });
      const { status, body } = await send(url, { body: '{}' });
      expect([status, body.error.code, body.error.details.field]).toEqual([400, 'template_failed', 'input']);
      expect(await deliveries(id)).toMatchObject([{ outcome: 'refused', code: 'template_failed' }]);
    });

    it('a hook responds 400 if the execution input violates the input schema of the workflow', async () => {
      const strict = await workflow([{ id: 'text', type: 'set', with: { value: 1 } }], {
        input_schema: { type: 'object', required: ['name'] },
      });
      const { id, url } = await hook({ workflow_id: strict });
      const { status, body } = await send(url, { body: '{}' });
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
      expect(await deliveries(id)).toMatchObject([{ outcome: 'refused', code: 'invalid_input' }]);
    });
  });

  describe('verification', () => {
    const github = (body: string, secret = SECRETS['GITHUB'] ?? ''): string =>
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

    it('a hook accepts a GitHub signature of the exact body bytes and rejects missing or different signatures', async () => {
      const { id, url } = await hook({ verification: { type: 'github', secret: 'GITHUB' } });
      const body = '{ "zen" :  "Design for failure." }';
      expect((await send(url, { headers: { 'x-hub-signature-256': github(body) }, body })).status).toBe(202);
      for (const [signature, code] of [
        [github(body, 'guess'), 'signature_invalid'],
        [github(JSON.stringify(JSON.parse(body))), 'signature_invalid'],
        [undefined, 'signature_missing'],
      ] as const) {
        const given = signature === undefined ? {} : { 'x-hub-signature-256': signature };
        const { status, body: answer } = await send(url, { headers: given, body });
        expect([status, answer.error.type, answer.error.code]).toEqual([401, 'authentication_error', code]);
      }
      expect(await executionsOf(id)).toHaveLength(1);
      expect((await deliveries(id)).map(({ outcome }) => outcome)).toEqual([
        'started',
        'refused',
        'refused',
        'refused',
      ]);
    });

    it('a hook responds 401, not 400, to a malformed body without a signature', async () => {
      const { url } = await hook({ verification: { type: 'github', secret: 'GITHUB' } });
      expect((await send(url, { body: '{' })).status).toBe(401);
    });

    it('a hook rejects Standard Webhooks signatures older than 5 minutes and starts one execution per message id', async () => {
      const { id, url } = await hook({ verification: { type: 'standard_webhooks', secret: 'STANDARD' } });
      const signed = (messageId: string, at: number, body: string): Sent => ({
        headers: {
          'webhook-id': messageId,
          'webhook-timestamp': String(Math.floor(at / 1_000)),
          'webhook-signature': new Webhook(SECRETS['STANDARD'] ?? '').sign(messageId, new Date(at), body),
        },
        body,
      });
      const message = signed('msg_1', clock.now(), '{"n":1}');
      const first = await send(url, message);
      expect(first.status).toBe(202);
      const replayed = await send(url, {
        ...message,
        headers: { ...message.headers, 'idempotency-key': 'other' },
      });
      expect([replayed.status, replayed.body]).toEqual([202, first.body]);
      const old = await send(url, signed('msg_2', clock.now() - 301_000, '{"n":1}'));
      expect([old.status, old.body.error.code]).toEqual([401, 'signature_expired']);
      expect(await executionsOf(id)).toHaveLength(1);
    });

    it('a secret that a hook uses can be deleted only with `?force=true`, and the hook then responds 401', async () => {
      await call('POST', '/v1/secrets', { name: 'SHORT_LIVED', value: 'abcdef' });
      const { data } = (await call('GET', '/v1/secrets?limit=100')).body;
      const { id: secretId } = data.find(({ name }: { name: string }) => name === 'SHORT_LIVED');
      const { id, url } = await hook({ verification: { type: 'bearer', secret: 'SHORT_LIVED' } });
      const refused = await call('DELETE', `/v1/secrets/${secretId}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'secret_in_use']);
      expect(JSON.stringify(refused.body)).toContain(id);
      expect((await call('DELETE', `/v1/secrets/${secretId}?force=true`)).status).toBe(204);
      const { status, body } = await send(url, { headers: { authorization: 'Bearer abcdef' }, body: '{}' });
      expect([status, body.error.code]).toEqual([401, 'hook_secret_missing']);
    });

    it('a hook accepts only requests with the required Stripe signature, bearer token or basic credentials', async () => {
      const seconds = Math.floor(clock.now() / 1_000);
      const v1 = createHmac('sha256', SECRETS['STRIPE'] ?? '')
        .update(`${seconds}.{}`)
        .digest('hex');
      const cases = [
        ['stripe', 'STRIPE', { 'stripe-signature': `t=${seconds},v1=${v1}` }],
        ['bearer', 'TOKEN', { authorization: 'Bearer a-bearer-token' }],
        ['basic', 'LOGIN', { authorization: `Basic ${Buffer.from('user:pass:word').toString('base64')}` }],
      ] as const;
      for (const [type, secret, given] of cases) {
        const { url } = await hook({ verification: { type, secret } });
        expect((await send(url, { headers: given, body: '{}' })).status).toBe(202);
        expect((await send(url, { body: '{}' })).status).toBe(401);
      }
    });
  });

  describe('repeated deliveries', () => {
    it.each(['webhook-id', 'X-GitHub-Delivery', 'Idempotency-Key'])(
      'a hook request with a repeated %s header gets the first response, even after the workflow was paused',
      async (name) => {
        const target = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
        const { id, url } = await hook({ workflow_id: target });
        const first = await send(url, { headers: { [name]: '1' }, body: '{"n":1}' });
        await call('PATCH', `/v1/workflows/${target}`, { status: 'paused' });
        const second = await send(url, { headers: { [name]: '1' }, body: '{"n":2}' });
        expect([second.status, second.body]).toEqual([202, first.body]);
        expect((await send(url, { headers: { [name]: '2' }, body: '{}' })).status).toBe(409);
        expect(await deliveries(id)).toMatchObject([
          { outcome: 'started', key: `${name.toLowerCase()}:1` },
          { outcome: 'repeated', execution_id: first.body.execution_id },
          { outcome: 'refused', code: 'workflow_not_active' },
        ]);
      },
    );

    it('a hook starts one execution for 20 concurrent requests with the same `webhook-id` header', async () => {
      for (const fields of [{}, { deduplication: '{{ request.body.order }}' }]) {
        const { id, url } = await hook(fields);
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            send(url, { headers: { 'webhook-id': 'once' }, body: '{"order":4711}' }),
          ),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
        expect(new Set(answers.map(({ body }) => body.execution_id)).size).toBe(1);
        expect(await executionsOf(id)).toHaveLength(1);
        const outcomes = (await deliveries(id)).map(({ outcome }) => String(outcome)).sort();
        expect(outcomes).toEqual([...Array.from({ length: 19 }, () => 'repeated'), 'started']);
      }
    });

    it('two hooks return the same execution for the same deduplication key and a new execution for another key', async () => {
      const fields = { workflow_id: waiting, deduplication: 'order-{{ request.body.order }}' };
      const [one, other] = [await hook(fields), await hook(fields)];
      const first = await send(one.url, { body: '{"order":1}' });
      expect((await send(other.url, { body: '{"order":1}' })).body).toEqual(first.body);
      expect((await send(other.url, { body: '{"order":2}' })).body).not.toEqual(first.body);
    });

    it('the service deletes hook deliveries after seven days, so a repeated request then starts a new execution', async () => {
      const { id, url } = await hook();
      const once = { headers: { 'webhook-id': 'old' }, body: '{}' };
      const first = await send(url, once);
      const sweep = service.app.get(OldDeliveries, { strict: false });
      clock.advance(7 * 24 * HOUR_MS - 1_000);
      await sweep.remove();
      expect((await send(url, once)).body).toEqual(first.body);
      clock.advance(2_000);
      await sweep.remove();
      expect((await send(url, once)).body).not.toEqual(first.body);
      expect(await deliveries(id)).toMatchObject([{ outcome: 'repeated' }, { outcome: 'started' }]);
    });
  });

  describe('signals by hooks', () => {
    async function started(key: string): Promise<string> {
      const { body } = await call('POST', `/v1/workflows/${waiting}/executions`, { deduplication: { key } });
      return body.id;
    }
    const signal = { name: 'go', execution_key: 'pay-{{ request.body.order }}' };

    it.each([
      ['its workflow', true],
      ['any workflow in the project', false],
    ])(
      'a hook sends one signal to the execution that has the deduplication key in %s',
      async (_what, isNarrow) => {
        const key = `pay-${isNarrow}`;
        const execution = await started(key);
        const { id, url } = await hook({
          workflow_id: isNarrow ? waiting : null,
          action: 'signal',
          signal,
          input: { paid: '{{ request.body.amount }}' },
        });
        const sent = {
          headers: { 'webhook-id': 's1' },
          body: JSON.stringify({ order: isNarrow, amount: 5 }),
        };
        const { status, body } = await send(url, sent);
        expect([status, body]).toEqual([202, { execution_id: execution }]);
        expect(await ended(execution)).toMatchObject({ status: 'completed', output: { paid: 5 } });
        expect((await send(url, sent)).body).toEqual(body);
        expect(await deliveries(id)).toMatchObject([{ outcome: 'signalled' }, { outcome: 'repeated' }]);
      },
    );

    it('a hook with `action: signal` responds 409 if no unfinished execution has the deduplication key', async () => {
      const { id, url } = await hook({ workflow_id: null, action: 'signal', signal });
      const { status, body } = await send(url, { body: '{"order":"none"}' });
      expect([status, body.error.code]).toEqual([409, 'no_execution_for_key']);
      expect(await deliveries(id)).toMatchObject([{ outcome: 'refused', code: 'no_execution_for_key' }]);
    });

    it('a hook with `action: signal` responds 409 if executions of several workflows have the deduplication key', async () => {
      const second = await workflow([{ id: 'hold', type: 'wait', with: { signal: 'go' } }]);
      await started('pay-twice');
      await call('POST', `/v1/workflows/${second}/executions`, { deduplication: { key: 'pay-twice' } });
      const { url } = await hook({ workflow_id: null, action: 'signal', signal });
      const { status, body } = await send(url, { body: '{"order":"twice"}' });
      expect([status, body.error.code]).toEqual([409, 'several_executions_for_key']);
    });

    it('a hook with `action: signal` responds 403 if the signal would decide an approval with named approvers', async () => {
      const asking = await workflow([
        {
          id: 'ask',
          type: 'wait',
          with: { signal: 'go', approval: { title: 'Pay?', approvers: { users: ['admin@example.com'] } } },
        },
      ]);
      const { body } = await call('POST', `/v1/workflows/${asking}/executions`, {
        deduplication: { key: 'pay-ask' },
      });
      await until(
        'the waiting execution',
        async () => (await call('GET', `/v1/executions/${body.id}`)).body.status === 'waiting',
      );
      const { url } = await hook({ workflow_id: asking, action: 'signal', signal });
      const answer = await send(url, { body: '{"order":"ask","approved":true}' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'sign_in_needed']);
    });
  });

  it('the test endpoint of a hook starts a new execution for each request, without a signature', async () => {
    const { id } = await hook({
      verification: { type: 'github', secret: 'GITHUB' },
      deduplication: '{{ request.body.n }}',
    });
    const sent = { body: { n: 1 }, headers: { 'x-a': 'b' } };
    const first = await call('POST', `/v1/hooks/${id}/test`, sent);
    expect(first.status).toBe(202);
    await ended(first.body.execution_id);
    const second = await call('POST', `/v1/hooks/${id}/test`, sent);
    expect(second.body).not.toEqual(first.body);
    expect(await deliveries(id)).toMatchObject([
      { source: 'test', outcome: 'started', key: null },
      { source: 'test', outcome: 'started', key: null },
    ]);
  });
});

describe('rate limits of hooks', () => {
  it('hook requests beyond the rate limit of the team get 429, and an IP address that guesses hook tokens also gets 429', async () => {
    const plans = JSON.stringify({ free: { requests_per_minute: 60, burst: 5 } });
    const service = await ClockedService.start({ DEFAULT_PLAN: 'free', RATE_LIMIT_PLANS: plans });
    try {
      const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
      const key = { authorization: `Bearer ${secret}` };
      const nodes = [{ id: 'a', type: 'set', with: { value: 1 } }];
      const workflow = await service.call('POST', '/v1/workflows', { name: 'W', nodes }, key);
      const { body } = await service.call('POST', '/v1/hooks', { workflow_id: workflow.body.id }, key);
      const statuses: number[] = [];
      for (let n = 0; n < 7; n += 1) statuses.push((await fetch(body.url, { method: 'POST' })).status);
      expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
      const refused = await fetch(body.url, { method: 'POST' });
      expect(refused.headers.get('retry-after')).toBe('1');
      let status = 404;
      for (let n = 0; n < 101 && status === 404; n += 1)
        status = (await fetch(`${service.url}/hooks/whk_guess${n}`, { method: 'POST' })).status;
      expect(status).toBe(429);
    } finally {
      await service.close();
    }
  });
});
