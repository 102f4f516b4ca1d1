import { createHash } from 'node:crypto';
import { builtDocument } from './built-document.js';
import type { Exchange, OpenApiDocument, ResponseCheck } from './response-check.js';

const plainFetch = globalThis.fetch;
let builtCheck: Promise<ResponseCheck> | undefined;
/** For each server, by its origin: the check against its OpenAPI document. Null if the server has no such document. */
const checks = new Map<string, Promise<ResponseCheck | null>>();
const checksByDocument = new Map<string, ResponseCheck>();
const pending = new Set<Promise<void>>();
const faults = new Set<string>();

/** A `fetch` that compares each response of the service with `/openapi.json` of the service. */
export const checkedFetch: typeof fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const request = { url: new URL(response.url), method: methodOf(input, init), sent: jsonOf(init) };
  if (isOfService(request.url, response)) watch(compare(request, response));
  return response;
};

/** Waits for all comparisons. Returns and clears the found differences. */
export async function takeFaults(): Promise<readonly string[]> {
  await Promise.all(pending);
  const found = [...faults];
  faults.clear();
  return found;
}

/**
 * Clears the map of servers, because another server may get the same port. Compiled OpenAPI documents stay
 * cached.
 */
export function forgetServers(): void {
  checks.clear();
}

interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly sent: string | undefined;
}

/** Returns whether the service sent a response. Other test servers do not send the header `X-Request-Id`. */
function isOfService({ hostname }: URL, { headers }: Response): boolean {
  return (hostname === '127.0.0.1' || hostname === 'localhost') && headers.has('x-request-id');
}

async function compare({ url, method, sent }: SentRequest, response: Response): Promise<void> {
  // The response is cloned before the first `await`, because the test may read the body at any time after the
  // first `await`.
  const copy = isStream(response) ? undefined : response.clone();
  const received = await copy?.text();
  const exchange = {
    method,
    path: url.pathname,
    status: response.status,
    headers: response.headers,
    received,
  };
  for (const fault of await faultsOf(url.origin, sent === undefined ? exchange : { ...exchange, sent }))
    faults.add(fault);
}

/**
 * Compares first with the document of the built service, because a service takes 0.5 s to create its own. A service
 * with other operations, such as those of plug-ins, differs from that document; then its own document decides.
 */
async function faultsOf(origin: string, exchange: Exchange): Promise<readonly string[]> {
  builtCheck ??= readBuiltCheck();
  const built = await builtCheck;
  if (built.hasOperation(exchange) && built.faults(exchange).length === 0) return [];
  return (await checkOf(origin))?.faults(exchange) ?? [];
}

async function readBuiltCheck(): Promise<ResponseCheck> {
  try {
    return await checkAgainst(await builtDocument());
  } catch (error) {
    faults.add(`The OpenAPI document of the built service cannot be read: ${String(error)}`);
    throw error;
  }
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
  return response.ok ? checkAgainst(await response.text()) : null;
}

async function checkAgainst(text: string): Promise<ResponseCheck> {
  const key = createHash('sha256').update(text).digest('base64');
  let check = checksByDocument.get(key);
  if (check === undefined) {
    // The module is loaded only when it is needed, because most test files send no requests.
    const loaded = await import('./response-check.js');
    check = new loaded.ResponseCheck(JSON.parse(text) as OpenApiDocument);
    checksByDocument.set(key, check);
  }
  return check;
}

/**
 * Registers a comparison, so that the test waits at its end until the comparison is complete. A comparison that fails
 * finds no difference, because the test may have stopped the server before the response was complete.
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
