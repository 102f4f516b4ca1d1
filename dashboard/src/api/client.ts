/**
 * Configures and re-exports the generated API client. Other dashboard modules must not import the generated client
 * directly. Requests authenticate with the session cookie and a CSRF token.
 */
import { client } from '../../../clients/typescript/src/generated/client.gen.ts';
import { SERVICE_URL } from '../base-path.ts';
import { ApiError } from './api-error.ts';
import { availability } from './availability.ts';

export * from '../../../clients/typescript/src/index.ts';

const SLOW_MS = 4_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

let csrfToken: string | null = null;
let onSignedOut: () => void = () => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/**
 * Returns the header with the CSRF token, which the generated functions for sign-in require as a parameter.
 * For all other requests, an interceptor adds the header.
 */
export function csrfHeaders(): { readonly 'X-CSRF-Token': string } {
  return { 'X-CSRF-Token': csrfToken ?? '' };
}

/** Sets the callback that runs when a 401 response shows that the sign-in has ended. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

client.setConfig({ baseUrl: SERVICE_URL, credentials: 'same-origin' });
client.interceptors.request.use((request) => {
  if (csrfToken !== null && !SAFE_METHODS.has(request.method)) request.headers.set('X-CSRF-Token', csrfToken);
  return request;
});

interface CallResult<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly response?: Response;
}

type DataOf<R> = R extends { readonly data: infer D } ? Exclude<D, undefined> : never;

/**
 * Awaits an API call and returns the data of its response, as in `await answer(listWorkflows({ query }))`.
 * @throws ApiError if the service refuses the request or does not respond
 */
export async function answer<R extends CallResult<unknown>>(call: Promise<R>): Promise<DataOf<R>> {
  const slow = setTimeout(availability.doubt, SLOW_MS);
  const { data, error, response } = await settled(call).finally(() => clearTimeout(slow));
  if (response?.ok === true) return data as DataOf<R>;
  const failure = ApiError.of(error, response);
  if (failure.isUnavailable) availability.doubt();
  if (failure.isSignedOut) onSignedOut();
  throw failure;
}

/** The data of a response and its ETag, which the next change sends in `If-Match`. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string;
}

/** Like `answer`, and returns the ETag of the response, too. @throws ApiError as `answer` */
export async function taggedAnswer<R extends CallResult<unknown>>(
  call: Promise<R>,
): Promise<Tagged<DataOf<R>>> {
  const data = await answer(call);
  const { response } = await call;
  return { data, etag: response?.headers.get('ETag') ?? '' };
}

async function settled<R extends CallResult<unknown>>(call: Promise<R>): Promise<CallResult<unknown>> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { data: undefined, error };
  }
}
