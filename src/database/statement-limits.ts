import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientBase } from 'pg';

/** Default maximum duration of a database statement, in milliseconds. */
export const DEFAULT_LIMIT_MS = 15_000;

/** Fraction of the statement limit after which a request stops waiting for a statement or commit, and fails. */
const REQUEST_PART = 1 / 3;

/** Fraction of the statement limit that applies to slow queries, which may scan a large part of a table. */
const LONG_READ_PART = 2 / 3;

/** Milliseconds after a statement timeout during which health probes report that the database does not respond. */
const UNRESPONSIVE_MS = 5_000;

interface Scope {
  /** Maximum duration of one database statement, in milliseconds. `Infinity` means no limit. */
  readonly limitMs: number;
  readonly kind: 'request' | 'statement' | 'background';
  /**
   * Response to the current HTTP request. The statement limit of the request ends when the response is complete. Absent
   * outside of requests.
   */
  readonly response?: Pick<ServerResponse, 'writableFinished' | 'destroyed'>;
}

const scopes = new AsyncLocalStorage<Scope>();

function scope(): Scope | undefined {
  const current = scopes.getStore();
  if (current === undefined || current.kind === 'background') return undefined;
  const { response } = current;
  return response?.writableFinished === true || response?.destroyed === true ? undefined : current;
}

/** Thrown when the database did not respond in time. The database may nevertheless have executed the statement. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database did not respond within ${limitMs} ms.`);
  }
}

/** Maximum time in milliseconds that a request waits for one statement or commit: a third of the statement limit. */
export function requestLimitMs(limitMs: number): number {
  return Math.round(limitMs * REQUEST_PART);
}

/**
 * Calls the handler of an HTTP request. Until the response is complete, each database statement may take at most
 * `limitMs` milliseconds.
 */
export function asRequest(response: ServerResponse, limitMs: number, handle: () => void): void {
  scopes.run({ limitMs, kind: 'request', response }, handle);
}

/** Runs work that several requests share, without the statement limit of the request that started the work. */
export function inBackground<T>(work: () => T): T {
  return scopes.run({ limitMs: 0, kind: 'background' }, work);
}

/**
 * Runs slow queries with a time limit of two thirds of `limitMs`. Statements of requests have only one third.
 * @param limitMs statement limit outside of requests, in milliseconds
 */
export function asLongRead<T>(limitMs: number, work: () => T): T {
  return withStatementLimit(Math.round(limitMs * LONG_READ_PART), work);
}

/** Runs `work` with a limit of `limitMs` milliseconds for each database statement. `Infinity` means no limit. */
export function withStatementLimit<T>(limitMs: number, work: () => T): T {
  return scopes.run({ limitMs, kind: 'statement' }, work);
}

/** Returns the statement limit of the current request, in milliseconds. Undefined outside of requests. */
export function requestLimit(): number | undefined {
  const current = scope();
  return current?.kind === 'request' ? current.limitMs : undefined;
}

/**
 * Waits for work that several requests share, but no longer than the statement limit of the current request.
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

/**
 * Enforces the statement limit on PostgreSQL connections. A connection is closed when one of its statements exceeds the
 * limit.
 */
export class StatementWatch {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  /** @param limitMs limit for statements outside of requests, in milliseconds */
  constructor(readonly limitMs = DEFAULT_LIMIT_MS) {}

  /**
   * Creates a `StatementWatch` that gives every statement only the shorter limit of requests: a third of `limitMs`.
   * @param limitMs statement limit outside of requests, in milliseconds
   */
  static asInRequests(limitMs = DEFAULT_LIMIT_MS): StatementWatch {
    return new StatementWatch(requestLimitMs(limitMs));
  }

  /** @throws StatementTimeoutError during the first seconds after a timeout */
  check(): void {
    if (performance.now() < this.distrustedUntil) throw new StatementTimeoutError(this.limitMs);
  }

  /**
   * Enforces the statement limit on a connection. A statement that exceeds the limit fails, and the pool discards the
   * connection.
   */
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
        if (current?.kind !== 'statement') this.distrustedUntil = performance.now() + UNRESPONSIVE_MS;
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
