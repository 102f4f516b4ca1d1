import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import { UnsupportedMediaTypeError, ValidationError } from '../errors/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { jsonFault } from '../http/index.js';
import type { DeliverySource } from './hook.js';
import type { Verification } from './verification.js';

export interface HookRequest {
  readonly method: string;
  /** Header values by header name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly rawBody: Buffer;
  /**
   * IP address of the sender in canonical form. Behind trusted proxies, the address comes from the forwarding
   * headers of the proxies.
   */
  readonly address: string;
  readonly requestId: string;
  readonly source: DeliverySource;
}

export interface RequestDocument extends JsonObject {
  readonly body: Json;
  readonly headers: JsonObject;
  readonly query: JsonObject;
  readonly method: string;
  readonly raw: string;
}

export interface TestRequest {
  readonly method: string;
  readonly headers?: JsonObject | undefined;
  readonly query?: JsonObject | undefined;
  readonly body?: Json | undefined;
}

const JSON_TYPE = /^application\/(?:json|[\w.+-]+\+json)$/;
const TEXT_TYPE = /^(?:text\/[\w.+-]+|application\/(?:xml|[\w.+-]+\+xml))$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Headers that may contain credentials of the sender. Templates of hooks cannot read them. */
const HIDDEN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

export function headersOf(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );
}

export function testRequest(
  { method, headers = {}, query = {}, body }: TestRequest,
  origin: Pick<HookRequest, 'address' | 'requestId'>,
): HookRequest {
  const isEmpty = body === undefined || body === null;
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)] as const);
  return {
    ...origin,
    method,
    headers: new Map([...(isEmpty ? [] : [['content-type', 'application/json'] as const]), ...given]),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, textOf(value)])),
    rawBody: Buffer.from(isEmpty ? '' : JSON.stringify(body)),
    source: 'test',
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The variable `request` that templates of hooks can read. The header `Content-Type` decides how the body is parsed. An
 * empty body becomes null.
 * @throws ValidationError if the body or query cannot be parsed
 * @throws UnsupportedMediaTypeError if the body is not JSON, a URL-encoded form, or text in UTF-8
 */
export function requestDocument(request: HookRequest, verification: Verification): RequestDocument {
  const { method, query, rawBody, headers } = request;
  if (!isUtf8(rawBody)) throw ValidationError.of('body', 'invalid_utf8', 'is not UTF-8 text');
  const raw = rawBody.toString();
  if (raw.includes('\0')) throw nulFault('body');
  const secretHeader = verification.type === 'bearer' ? verification.header.toLowerCase() : undefined;
  const shown = [...headers].filter(([name]) => !HIDDEN_HEADERS.has(name) && name !== secretHeader);
  return {
    body: raw === '' ? null : bodyOf(raw, headers.get('content-type')),
    headers: Object.fromEntries(shown),
    query: fieldsOf(query, 'query'),
    method,
    raw,
  };
}

function bodyOf(text: string, contentType = ''): Json {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?(?:utf-?8|us-ascii)"?$/.test(charset))
    throw new UnsupportedMediaTypeError('The body must be encoded in UTF-8.');
  if (JSON_TYPE.test(type)) return jsonOf(text);
  if (type === FORM_TYPE) return fieldsOf(parseForm(text, '&', '=', { maxKeys: 0 }), 'body');
  if (type === '' || TEXT_TYPE.test(type)) return text;
  throw new UnsupportedMediaTypeError('The body must be JSON, a URL-encoded form, or text.');
}

function jsonOf(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw ValidationError.of('body', 'malformed_json', `is not JSON: ${(error as Error).message}`);
  }
  const fault = jsonFault(value, text);
  if (fault !== undefined) throw new ValidationError([fault], fault.code);
  return value as Json;
}

function fieldsOf(fields: Readonly<Record<string, unknown>>, place: 'body' | 'query'): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === '__proto__')
        throw ValidationError.of(`${place}.__proto__`, 'forbidden_key', 'is not allowed as a key');
      const values = (Array.isArray(value) ? value : [value]).map(String);
      if ([name, ...values].some((text) => text.includes('\0'))) throw nulFault(place);
      const [first = ''] = values;
      return [name, values.length === 1 ? first : values];
    }),
  );
}

function nulFault(place: string): ValidationError {
  return ValidationError.of(place, 'nul_character', 'must not contain a NUL character');
}
