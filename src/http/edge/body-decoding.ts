import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { PayloadTooLargeError, UnsupportedMediaTypeError, ValidationError } from '../../errors/index.js';
import { childPath } from '../validation/field-path.js';
import { jsonFault } from './json-check.js';

export type BodyFormat = 'json' | 'form';

const JSON_TYPE = /^application\/(?:json|[\w.+-]+\+json)$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** @throws UnsupportedMediaTypeError unless the body is JSON in UTF-8, or a form on a route that accepts forms. */
export function bodyFormat(contentType: string | undefined, formsToo: boolean): BodyFormat {
  if (contentType === 'application/json') return 'json';
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset))
    throw new UnsupportedMediaTypeError(`The body must be encoded in UTF-8, not ${JSON.stringify(charset)}.`);
  if (JSON_TYPE.test(type)) return 'json';
  if (formsToo && type === FORM_TYPE) return 'form';
  throw new UnsupportedMediaTypeError(
    'The body must be JSON: send it with "Content-Type: application/json".',
  );
}

const INFLATE = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

export function isCompressed(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'identity';
}

/**
 * Decompresses the body of a request.
 * @throws UnsupportedMediaTypeError if the compression is not gzip, deflate or br
 * @throws PayloadTooLargeError if the decompressed body is longer than `limitBytes`. The decompression stops at that
 *   length.
 * @throws ValidationError if the bytes are not compressed in the given encoding
 */
export async function inflated(bytes: Buffer, encoding: string, limitBytes: number): Promise<Buffer> {
  const name = encoding.toLowerCase();
  if (!isReadable(name))
    throw new UnsupportedMediaTypeError(
      'The body must be uncompressed, or compressed with gzip, deflate or br.',
    );
  try {
    return await INFLATE[name](bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new PayloadTooLargeError(limitBytes);
    throw ValidationError.of(
      'body',
      'malformed_encoding',
      `is not ${name} data, although Content-Encoding says so`,
    );
  }
}

function isReadable(encoding: string): encoding is keyof typeof INFLATE {
  return Object.hasOwn(INFLATE, encoding);
}

/**
 * Parses the body of a request. The result is always an object.
 * @throws ValidationError if the body is malformed or contains values that must not be stored
 */
export function decodedBody(bytes: Buffer, format: BodyFormat): Readonly<Record<string, unknown>> {
  if (!isUtf8(bytes)) throw ValidationError.of('body', 'invalid_utf8', 'is not UTF-8 text');
  const text = bytes.toString();
  return format === 'json' ? jsonObject(text) : formObject(text);
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw ValidationError.of('body', 'malformed_json', `is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw ValidationError.of('body', 'not_an_object', 'must be a JSON object');
  const fault = jsonFault(value, text);
  if (fault !== undefined) throw new ValidationError([fault], fault.code);
  return value as Record<string, unknown>;
}

function formObject(text: string): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parseForm(text))) {
    const field = childPath('', name);
    if (typeof value !== 'string') throw ValidationError.of(field, 'repeated', 'must not be repeated');
    if (name === '__proto__') throw ValidationError.of(field, 'forbidden_key', 'is not allowed as a key');
    if (name.includes('\0') || value.includes('\0'))
      throw ValidationError.of(field, 'nul_character', 'must not contain a NUL character');
    fields[name] = value;
  }
  return fields;
}
