import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpNodeFixture } from './http-node.fixture.js';
import type { HttpParameters } from './http-request.js';

const fixture = new HttpNodeFixture();
const { answer, call, elsewhere, failureOf, origin } = fixture;
beforeAll(() => fixture.start());
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('http node requests', () => {
  beforeEach(() => {
    answer('/', 200, {});
  });

  it('the http node sends a GET request by default', async () => {
    await call({ url: `${origin.url}/?a=1#part` });
    expect(origin.received).toMatchObject([{ method: 'GET', path: '/?a=1', body: '' }]);
    expect(origin.received[0]!.headers).not.toHaveProperty('idempotency-key');
    expect(origin.received[0]!.headers).not.toHaveProperty('content-type');
  });

  it('the http node appends `query` to the query string of the URL', async () => {
    await call({ url: `${origin.url}/?a=1`, query: { b: ['x y', 2], c: true, d: null } });
    expect(origin.received[0]!.path).toBe('/?a=1&b=x+y&b=2&c=true');
  });

  it.each<[string, HttpParameters['body'], string, string | undefined]>([
    ['an object', { a: [1] }, '{"a":[1]}', 'application/json'],
    ['a list', [1, 2], '[1,2]', 'application/json'],
    ['a number', 7, '7', 'application/json'],
    ['a string', 'a=1', 'a=1', 'text/plain; charset=utf-8'],
    ['nothing', null, '', undefined],
  ])('the http node sends %s as the request body', async (_, given, body, type) => {
    await call({ url: `${origin.url}/`, method: 'POST', ...(given === undefined ? {} : { body: given }) });
    expect(origin.received[0]).toMatchObject({ method: 'POST', body });
    expect(origin.received[0]!.headers['content-type']).toBe(type);
  });

  it('headers of the http node override the default headers', async () => {
    await call({
      url: `${origin.url}/`,
      method: 'PUT',
      body: '{}',
      headers: {
        'Content-Type': 'application/vnd.x+json',
        'X-Number': 5,
        'X-None': null,
        'User-Agent': 'mine',
      },
    });
    const { headers } = origin.received[0]!;
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.x+json',
      'x-number': '5',
      'user-agent': 'mine',
    });
    expect(headers).not.toHaveProperty('x-none');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'the http node sends its idempotency key with a %s request',
    async (method) => {
      await call({ url: `${origin.url}/`, method });
      await call({ url: `${origin.url}/`, method, headers: { 'idempotency-key': 'own' } });
      expect(origin.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
        'execution:node',
        'own',
      ]);
    },
  );

  it('the http node reuses connections', async () => {
    const ports = new Set<number | undefined>();
    origin.answers.set('/', (_, response) => {
      ports.add(response.socket?.remotePort);
      response.end();
    });
    for (let calls = 0; calls < 10; calls++) await call({ url: `${origin.url}/` });
    // Two ports are allowed, because the connection pool may open a second connection before the first one is free
    // again.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('the http node ignores proxy environment variables', async () => {
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = elsewhere.url;
    try {
      await call({ url: `${origin.url}/` });
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    }
    expect([origin.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'Proxy-Authorization'])(
    'the http node rejects the header %s',
    async (name) => {
      expect(await failureOf({ url: `${origin.url}/`, headers: { [name]: 'x' } })).toMatchObject({
        code: 'http_invalid_request',
        options: { retryable: false },
      });
      expect(origin.received).toEqual([]);
    },
  );

  it.each(['a\r\nx-evil: 1', 'a\0b'])(
    'the http node rejects the header value %j, which injects another header',
    async (value) => {
      expect(await failureOf({ url: `${origin.url}/`, headers: { 'x-a': value } })).toMatchObject({
        code: 'http_invalid_request',
      });
      expect(origin.received).toEqual([]);
    },
  );

  it('the http node rejects a URL with a password', async () => {
    expect(await failureOf({ url: origin.url.replace('//', '//user:pass@') })).toMatchObject({
      code: 'http_invalid_request',
    });
  });
});
