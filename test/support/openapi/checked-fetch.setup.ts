import { createHash } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { type OpenApiDocument, ResponseCheck } from './response-check.js';

/**
 * Compares every response that a test fetches from the service with the service's `/openapi.json`. The comparison runs
 * in the background. A difference fails the test when the test ends.
 */
const plainFetch = globalThis.fetch;
/** Checks by the origin of the server; null for servers without an OpenAPI document. */
const checks = new Map<string, Promise<ResponseCheck | null>>();
const checksByDocument = new Map<string, ResponseCheck>();
const pending = new Set<Promise<void>>();
const faults = new Set<string>();

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const request = { url: new URL(response.url), method: methodOf(input, init), sent: jsonOf(init) };
  if (isOfService(request.url, response)) watch(compare(request, response));
  return response;
};

afterEach(async () => {
  await Promise.all(pending);
  const found = [...faults];
  faults.clear();
  expect(found, 'Responses that differ from /openapi.json').toEqual([]);
});

interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly sent: string | undefined;
}

/** Whether a response comes from the service: other test servers send no request ids. */
function isOfService({ hostname }: URL, { headers }: Response): boolean {
  return (hostname === '127.0.0.1' || hostname === 'localhost') && headers.has('x-request-id');
}

async function compare({ url, method, sent }: SentRequest, response: Response): Promise<void> {
  // Clone the response now, because the test may read its body before the check does.
  const copy = isStream(response) ? undefined : response.clone();
  const check = await checkOf(url.origin);
  const received = copy === undefined ? undefined : await copy.text();
  if (check === null) return;
  const exchange = {
    method,
    path: url.pathname,
    status: response.status,
    headers: response.headers,
    received,
  };
  for (const fault of check.faults(sent === undefined ? exchange : { ...exchange, sent })) faults.add(fault);
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

function checkOf(origin: string): Promise<ResponseCheck | null> {
  let check = checks.get(origin);
  if (check === undefined) {
    check = readCheck(origin);
    checks.set(origin, check);
  }
  return check;
}

async function readCheck(origin: string): Promise<ResponseCheck | null> {
  const response = await plainFetch(`${origin}/openapi.json`);
  if (!response.ok) return null;
  const text = await response.text();
  const key = createHash('sha256').update(text).digest('base64');
  let check = checksByDocument.get(key);
  if (check === undefined) {
    check = new ResponseCheck(JSON.parse(text) as OpenApiDocument);
    checksByDocument.set(key, check);
  }
  return check;
}

/**
 * Collects the result of a check. It is no difference if the test stops the server, or does not read the body to its
 * end.
 */
function watch(comparison: Promise<void>): void {
  const settled = comparison.catch(() => undefined).finally(() => pending.delete(settled));
  pending.add(settled);
}

function methodOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): string {
  return (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
}

function jsonOf(init: RequestInit | undefined): string | undefined {
  return typeof init?.body === 'string' &&
    new Headers(init.headers).get('content-type') === 'application/json'
    ? init.body
    : undefined;
}
