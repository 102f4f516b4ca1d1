/**
 * The only door to the generated client: pages import operations and types from here. Calls go to the page's own
 * origin with the cookie of the sign-in, and with its CSRF token where they change something.
 */
import { client } from '../../../clients/typescript/src/generated/client.gen.ts';
import { SERVICE_URL } from '../base-path.ts';
import { ApiError } from './api-error.ts';
import { availability } from './availability.ts';

export * from '../../../clients/typescript/src/index.ts';

/** An answer that takes longer makes one doubt that the service answers at all. */
const SLOW_MS = 4_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

let csrfToken: string | null = null;
let onSignedOut: () => void = () => undefined;

/** Takes the token of a sign-in for the calls that follow; null at its end. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** For the operations on a sign-in, whose header is part of their interface; the others get it by themselves. */
export function csrfHeaders(): { readonly 'X-CSRF-Token': string } {
  return { 'X-CSRF-Token': csrfToken ?? '' };
}

/** Sets what happens when an answer says that nobody is signed in any more. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

client.setConfig({ baseUrl: SERVICE_URL, credentials: 'same-origin' });
client.interceptors.request.use((request) => {
  if (csrfToken !== null && !SAFE_METHODS.has(request.method)) request.headers.set('X-CSRF-Token', csrfToken);
  return request;
});

/** As much of a call's result as is looked at. */
interface CallResult<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly response?: Response;
}

/** What a good answer of an operation holds. */
type DataOf<R> = R extends { readonly data: infer D } ? Exclude<D, undefined> : never;

/**
 * The data of an operation's answer: `await answer(listWorkflows({ query }))`.
 * @throws ApiError where it is refused or does not arrive.
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

async function settled<R extends CallResult<unknown>>(call: Promise<R>): Promise<CallResult<unknown>> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { data: undefined, error };
  }
}
