import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, HttpNodeFixture } from './http-node.fixture.js';

const fixture = new HttpNodeFixture();
const { call, failureOf, origin } = fixture;
beforeAll(() => fixture.start());
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('http node connection failures', () => {
  it('the error about a denied address names the setting EGRESS_ALLOW', async () => {
    const failure = await failureOf({ url: 'http://169.254.169.254/latest/meta-data' });
    expect(failure).toMatchObject({ code: 'egress_denied', options: { retryable: false } });
    expect(failure.message).toContain('EGRESS_ALLOW');
  });

  it('the error about a refused connection omits the query string', async () => {
    expect(await failureOf({ url: 'http://127.0.0.1:1/?token=secret' })).toMatchObject({
      code: 'http_connection_error',
      message: 'The connection to http://127.0.0.1:1 failed: ECONNREFUSED.',
    });
  });

  it('the http node fails with `http_connection_error` if the server closes the connection without a response', async () => {
    origin.answers.set('/', (_, response) => void response.socket?.destroy());
    expect(await failureOf({ url: `${origin.url}/` })).toMatchObject({ code: 'http_connection_error' });
  });

  it.each<[string, Answer]>([
    ['the response headers', () => {}],
    ['the response body', (_, response) => void response.writeHead(200).write('x')],
  ])('a request of the http node times out while waiting for %s', async (_, stall) => {
    origin.answers.set('/', stall);
    const hasty = new HttpNodeFixture(100);
    expect(await hasty.failureOf({ url: `${origin.url}/` })).toMatchObject({ code: 'http_timeout' });
    await hasty.stop();
  });

  it.each<[string, Answer]>([
    ['the response headers', () => {}],
    ['the response body', (_, response) => void response.writeHead(200).write('x')],
  ])('an aborted request closes its connection while waiting for %s', async (_, stall) => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    let isCut = false;
    origin.answers.set('/', (request, response) => {
      response.on('close', () => (isCut = true));
      stall(request, response);
      setTimeout(() => controller.abort(reason), 20);
    });
    await expect(call({ url: `${origin.url}/` }, controller.signal)).rejects.toBe(reason);
    await expect.poll(() => isCut).toBe(true);
  });

  it('the http node sends no request if its attempt is already aborted', async () => {
    const reason = new Error('cancelled');
    await expect(call({ url: `${origin.url}/` }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(origin.received).toEqual([]);
  });
});
