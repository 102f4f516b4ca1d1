import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientBase } from 'pg';

/** Default maximum duration of a statement, in milliseconds. */
export const DEFAULT_LIMIT_MS = 15_000;

/**
 * A request waits at most this fraction of the statement limit for one statement or commit, and then
 * fails.
 */
const REQUEST_PART = 1 / 3;

/** A statement that may scan a large part of a table gets this larger fraction of the statement limit. */
const LONG_READ_PART = 2 / 3;

/** Milliseconds after a timeout during which statements fail immediately. */
const DISTRUST_MS = 5_000;

interface Scope {
  /** Maximum duration of one statement, in milliseconds; `Infinity` for no limit. */
  readonly limitMs: number;
  readonly kind: 'request' | 'statement' | 'background';
  /** The response of the request, after which its limit no longer applies; absent outside of requests. */
  readonly response?: Pick<ServerResponse, 'writableFinished' | 'destroyed'>;
}

const scopes = new AsyncLocalStorage<Scope>();

function scope(): Scope | undefined {
  const current = scopes.getStore();
  if (current === undefined || current.kind === 'background') return undefined;
  const { response } = current;
  return response?.writableFinished === true || response?.destroyed === true ? undefined : current;
}

/**
 * Thrown when the database did not respond in time. The statement may have taken effect
 * nevertheless.
 */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database did not respond within ${limitMs} ms.`);
  }
}

/** Milliseconds that a request waits for one statement or commit. */
export function requestLimitMs(limitMs: number): number {
  return Math.round(limitMs * REQUEST_PART);
}

/** Handles a request. Until the response is closed, each statement may take at most `limitMs`. */
export function asRequest(response: ServerResponse, limitMs: number, handle: () => void): void {
  scopes.run({ limitMs, kind: 'request', response }, handle);
}

/** Runs shared work without the limit of the request that started the work. */
export function inBackground<T>(work: () => T): T {
  return scopes.run({ limitMs: 0, kind: 'background' }, work);
}

/**
 * Allows scans of a large part of a table more time.
 * @param limitMs limit of statements outside of requests, in milliseconds
 */
export function asLongRead<T>(limitMs: number, work: () => T): T {
  return withStatementLimit(Math.round(limitMs * LONG_READ_PART), work);
}

/**
 * Limits each statement of `work` to `limitMs` milliseconds. Migrations pass `Infinity`, which means no
 * limit.
 */
export function withStatementLimit<T>(limitMs: number, work: () => T): T {
  return scopes.run({ limitMs, kind: 'statement' }, work);
}

/**
 * Returns the limit of one statement of the current request, in milliseconds; undefined outside of
 * requests.
 */
export function requestLimit(): number | undefined {
  const current = scope();
  return current?.kind === 'request' ? current.limitMs : undefined;
}

/**
 * Waits for shared work no longer than the request's limit.
 * @throws StatementTimeoutError
 */
export async function withinRequest<T>(shared: Promise<T>): Promise<T> {
  const limitMs = requestLimit();
  if (limitMs === undefined) return shared;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StatementTimeoutError(limitMs)), limitMs);
  });
  try {
    return await Promise.race([shared, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits PostgreSQL statements and closes a connection after a timeout. */
export class StatementWatch {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  /** @param limitMs limit for statements outside of requests, in milliseconds */
  constructor(readonly limitMs = DEFAULT_LIMIT_MS) {}

  /**
   * Applies the limit of requests to all statements.
   * @param limitMs limit for statements outside of requests, in milliseconds
   */
  static asInRequests(limitMs = DEFAULT_LIMIT_MS): StatementWatch {
    return new StatementWatch(requestLimitMs(limitMs));
  }

  /** @throws StatementTimeoutError during the first seconds after a timeout */
  check(): void {
    if (performance.now() < this.distrustedUntil) throw new StatementTimeoutError(this.limitMs);
  }

  /** A statement that exceeds its limit fails, and the pool discards the connection. */
  limit(client: ClientBase): void {
    const { connection } = client as unknown as WithConnection;
    let timer: NodeJS.Timeout | undefined;
    let ended = false;
    const clear = (): void => {
      clearTimeout(timer);
      timer = undefined;
    };
    const end = (): void => {
      ended = true;
      clear();
    };
    const arm = (): void => {
      const current = scope();
      const limitMs = current?.limitMs ?? this.limitMs;
      if (ended || timer !== undefined || limitMs === Infinity) return;
      timer = setTimeout(() => {
        if (current?.kind !== 'statement') this.distrustedUntil = performance.now() + DISTRUST_MS;
        end();
        connection.stream.destroy(new StatementTimeoutError(limitMs));
      }, limitMs);
    };
    client.on('drain', clear).on('end', end).on('error', end);
    connection.on('readyForQuery', () => timer?.refresh());
    client.query = ((...parameters: readonly unknown[]) => {
      arm();
      return Reflect.apply((Object.getPrototypeOf(client) as WithQuery).query, client, parameters);
    }) as ClientBase['query'];
  }
}

interface WithConnection {
  readonly connection: EventEmitter & { readonly stream: { destroy(error: Error): void } };
}

interface WithQuery {
  readonly query: (this: ClientBase, ...parameters: readonly unknown[]) => unknown;
}
