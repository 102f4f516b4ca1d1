import { Readable, Transform, type TransformCallback, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Json, JsonObject } from '../../expressions/index.js';
import { NodeFailure } from '../../node-contract/index.js';

export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Body of the response as parsed JSON, as text, or as `{base64}` for other content. Null for an empty body that is
   * not text.
   */
  readonly body: Json;
};

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Maximum size in bytes of a response body that is read without a memory reservation. */
const SMALL_BODY = 65_536;

/** Maximum number of content encodings of one response. A response with more encodings is probably an attack. */
const MAX_ENCODINGS = 3;

/**
 * Converts header names to lower case. Joins the values of a repeated header by commas, except for `set-cookie`, whose
 * values stay a list.
 */
export function plainHeaders(raw: RawHeaders): HttpResponse['headers'] {
  const entries: [string, string | readonly string[]][] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const list = Array.isArray(value) ? value : [value];
    entries.push([name.toLowerCase(), name.toLowerCase() === 'set-cookie' ? list : list.join(', ')]);
  }
  return Object.fromEntries(entries);
}

/**
 * Reads a response body and decodes its content encodings.
 *
 * @param maxBytes limit for the received bytes and for the output of each decoding step, because a small result may
 * have a huge intermediate form
 * @param reserve reserves memory; called once, when more than 64 KiB of the decoded body have been read
 * @throws NodeFailure `http_response_too_large` or `http_invalid_encoding`.
 */
export async function readBody(
  body: Readable,
  headers: HttpResponse['headers'],
  maxBytes: number,
  reserve: (bytes: number) => Promise<void>,
): Promise<Buffer> {
  const encoded = Readable.from(limited(body, maxBytes));
  const decoders = decodersOf(headers['content-encoding']);
  const declared = decoders.length > 0 ? NaN : Number(headers['content-length'] ?? NaN);
  const decoded = new BodyCollector(() =>
    reserve(Math.min(maxBytes, Number.isNaN(declared) ? maxBytes : declared)),
  );
  await pipeline([encoded, ...decoders.flatMap((decoder) => [decoder, new SizeLimit(maxBytes)]), decoded]);
  return decoded.bytes();
}

/**
 * Parses a response body by its content type. Returns null if the content type is JSON but the body is not valid JSON.
 */
export function parseBody(bytes: Buffer, contentType: string | undefined): { readonly value: Json } | null {
  const [essence = '', ...options] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (/^application\/json$|\+json$/.test(essence))
    return bytes.length === 0 ? { value: null } : parseJson(decode(bytes, undefined));
  const charset = options
    .find((option) => option.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (isText(essence) || charset !== undefined) return { value: decode(bytes, charset) };
  if (bytes.length === 0) return { value: null };
  return { value: { base64: bytes.toString('base64') } };
}

function parseJson(text: string): { readonly value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

function isText(essence: string): boolean {
  return /^text\/|^application\/(xml|javascript|graphql|yaml|x-www-form-urlencoded|x-ndjson)$|\+(xml|yaml)$/.test(
    essence,
  );
}

function decode(bytes: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A body with an unknown charset is decoded as UTF-8.
    return new TextDecoder().decode(bytes);
  }
}

function decodersOf(encoding: string | readonly string[] | undefined): Transform[] {
  const names = String(encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) throw invalidEncoding(`The response is encoded ${names.length} times.`);
  return names.reverse().map((name) => {
    if (name === 'gzip' || name === 'x-gzip') return createGunzip();
    if (name === 'deflate') return createInflate();
    if (name === 'br') return createBrotliDecompress();
    throw invalidEncoding(`The response is encoded with "${name}", which was not requested.`);
  });
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** A stream that fails when more than `maxBytes` bytes pass through. */
class SizeLimit extends Transform {
  private received = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length;
    if (this.received > this.maxBytes) done(tooLarge(this.maxBytes));
    else done(null, chunk);
  }
}

/** Collects a response body in memory. Backpressure stops the reading while the reservation of memory is pending. */
class BodyCollector extends Writable {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  /** @param reserve called once, when more than 64 KiB are collected */
  constructor(private readonly reserve: () => Promise<void>) {
    super();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const before = this.size;
    this.size += chunk.length;
    this.chunks.push(chunk);
    if (before > SMALL_BODY || this.size <= SMALL_BODY) return done();
    this.reserve().then(() => done(), done);
  }

  bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

function tooLarge(maxBytes: number): NodeFailure {
  const message = `The response is larger than ${maxBytes} bytes (with.max_response_bytes).`;
  return new NodeFailure('http_response_too_large', message, { retryable: false });
}

function invalidEncoding(message: string): NodeFailure {
  return new NodeFailure('http_invalid_encoding', message, { retryable: false });
}

/** Returns the response as JSON, for the output of a node or for the details of an error. */
export function responseJson({ status, headers, body }: HttpResponse): JsonObject {
  return { status, headers, body };
}
