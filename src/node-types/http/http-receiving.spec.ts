import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileParameterSchema } from '../../nodes/index.js';
import { HttpNodeFixture } from './http-node.fixture.js';
import { HTTP_OUTPUT_SCHEMA } from './http.schema.js';

const fixture = new HttpNodeFixture();
const { answer, failureOf, origin, outputOf } = fixture;
beforeAll(() => fixture.start());
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('http node responses', () => {
  it.each<[string, string, string | Buffer, unknown]>([
    ['JSON', 'application/json; charset=utf-8', '{"a":[1]}', { a: [1] }],
    ['a JSON media type with a suffix', 'application/problem+json', '{"a":1}', { a: 1 }],
    ['JSON with a byte order mark', 'application/json', '\uFEFF1', 1],
    ['empty JSON', 'application/json', '', null],
    ['text', 'text/plain', 'grüß', 'grüß'],
    ['text in another charset', 'text/plain; charset=ISO-8859-1', Buffer.from([0xe9]), 'é'],
    ['text in an unknown charset', 'text/plain; charset=x-none', 'a', 'a'],
    ['XML', 'application/atom+xml', '<a/>', '<a/>'],
    ['bytes', 'image/png', Buffer.from([0x89, 0x50]), { base64: 'iVA=' }],
    ['binary data', 'image/png', '', null],
  ])('the http node parses a response body of %s', async (_, type, body, expected) => {
    expect(await outputOf({ url: answer('/', 200, { 'content-type': type }, body) })).toMatchObject({
      status: 200,
      body: expected,
    });
  });

  it('the http node returns header names in lower case and cookies as a list', async () => {
    const url = answer('/', 204, { 'X-Multi': ['a', 'b'], 'Set-Cookie': 'a=1' });
    const given = await outputOf({ url });
    expect(given).toMatchObject({
      status: 204,
      headers: { 'x-multi': 'a, b', 'set-cookie': ['a=1'] },
      body: null,
    });
    expect(compileParameterSchema(HTTP_OUTPUT_SCHEMA).check(given as Record<string, never>)).toEqual([]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ])('the http node decodes a response body encoded with %s', async (encoding, encode) => {
    const url = answer(
      '/',
      200,
      { 'content-encoding': encoding, 'content-type': 'text/plain' },
      encode('hello'),
    );
    expect(await outputOf({ url })).toMatchObject({ body: 'hello' });
  });

  it('the http node returns a null body for a HEAD response that declares a compressed body', async () => {
    const url = answer('/', 200, {
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      'content-length': '100',
    });
    expect(await outputOf({ url, method: 'HEAD' })).toMatchObject({ status: 200, body: null });
  });

  it.each<[number, boolean]>([
    [400, false],
    [404, false],
    [408, true],
    [409, false],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])(
    'a response with status %i fails the http node, and the error has `retryable` set to %s',
    async (status, retryable) => {
      const url = answer(
        '/',
        status,
        { 'content-type': 'application/json', 'x-why': 'so' },
        '{"error":"no"}',
      );
      const failure = await failureOf({ url });
      expect(failure).toMatchObject({
        code: 'http_status_error',
        options: { retryable, details: { status, headers: { 'x-why': 'so' }, body: { error: 'no' } } },
      });
    },
  );

  it('a 2xx status that `accept_status` does not list fails the http node with a retryable error', async () => {
    const url = answer('/', 202, { 'content-type': 'application/json' }, '{"state":"running"}');
    expect(await failureOf({ url, accept_status: [200] })).toMatchObject({
      code: 'http_status_error',
      options: { retryable: true, details: { status: 202, body: { state: 'running' } } },
    });
  });

  it('the http node reports the error status of a response even if the JSON body is malformed', async () => {
    const url = answer('/', 502, { 'content-type': 'application/json' }, '<html>');
    expect(await failureOf({ url })).toMatchObject({
      code: 'http_status_error',
      options: { details: { status: 502, body: '<html>' } },
    });
  });

  it('the http node succeeds on a response status in `accept_status`', async () => {
    const url = answer('/', 404, {});
    expect(await outputOf({ url, accept_status: ['2xx', 404] })).toMatchObject({ status: 404 });
    expect(await outputOf({ url, accept_status: ['4xx'] })).toMatchObject({ status: 404 });
    expect(await failureOf({ url: answer('/ok', 200, {}), accept_status: [201] })).toMatchObject({
      code: 'http_status_error',
    });
  });

  it.each<[string, Record<string, string>, string | Buffer, string, boolean | undefined]>([
    ['malformed JSON', { 'content-type': 'application/json' }, '{', 'http_invalid_json', undefined],
    [
      'an encoding that was not requested',
      { 'content-encoding': 'zstd' },
      'x',
      'http_invalid_encoding',
      false,
    ],
    ['a wrong encoding', { 'content-encoding': 'gzip' }, 'plain', 'http_invalid_encoding', undefined],
    ['a broken brotli body', { 'content-encoding': 'br' }, 'plain', 'http_invalid_encoding', undefined],
    [
      'a truncated body',
      { 'content-encoding': 'gzip' },
      gzipSync('hello').subarray(0, 12),
      'http_invalid_encoding',
      undefined,
    ],
    [
      'four nested encodings',
      { 'content-encoding': 'gzip,gzip,gzip,gzip' },
      'x',
      'http_invalid_encoding',
      false,
    ],
    ['more bytes than allowed', {}, 'x'.repeat(1001), 'http_response_too_large', false],
    [
      'a decompression bomb',
      { 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(1001)),
      'http_response_too_large',
      false,
    ],
    [
      'a nested decompression bomb',
      { 'content-encoding': 'gzip, gzip' },
      gzipSync(gzipSync(Buffer.alloc(50_000_000))),
      'http_response_too_large',
      false,
    ],
    [
      'many compressed bytes that decompress to few',
      { 'content-encoding': 'gzip, br' },
      brotliCompressSync(Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')))),
      'http_response_too_large',
      false,
    ],
    [
      'endless compressed data without content',
      { 'content-encoding': 'gzip' },
      Buffer.concat(Array.from({ length: 99 }, () => gzipSync(''))),
      'http_response_too_large',
      false,
    ],
  ])('the http node fails on a response with %s', async (_, headers, body, code, retryable) => {
    expect(await failureOf({ url: answer('/', 200, headers, body), max_response_bytes: 1000 })).toMatchObject(
      {
        code,
        options: retryable === undefined ? {} : { retryable },
      },
    );
  });

  it.each<[string, number, Record<string, string>]>([
    ['with an encoding that was not requested', 200, { 'content-encoding': 'zstd' }],
    ['with a redirect that the node refuses', 302, { location: 'ftp://example.com/' }],
  ])('the http node closes the connection of an unfinished response %s', async (_, status, headers) => {
    const closed = Promise.withResolvers<void>();
    origin.answers.set('/endless', (_request, response) => {
      response.on('close', closed.resolve);
      response.writeHead(status, headers).write('x'.repeat(1_000_000));
    });
    await failureOf({ url: `${origin.url}/endless` });
    await closed.promise;
  });

  it('the http node accepts a response body of exactly `max_response_bytes`', async () => {
    expect(
      await outputOf({
        url: answer('/', 200, { 'content-type': 'text/plain' }, 'x'.repeat(1000)),
        max_response_bytes: 1000,
      }),
    ).toMatchObject({
      body: 'x'.repeat(1000),
    });
  });

  it('the http node closes the connection when a response exceeds the size limit', async () => {
    let cut = false;
    origin.answers.set('/', (_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => {
        cut = true;
        clearInterval(timer);
      });
    });
    expect(await failureOf({ url: `${origin.url}/` })).toMatchObject({ code: 'http_response_too_large' });
    await expect.poll(() => cut).toBe(true);
  });
});
