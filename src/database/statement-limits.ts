import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientBase } from 'pg';

/** Maximum duration of a statement in milliseconds, unless set otherwise. */
export const DEFAULT_LIMIT_MS = 15_000;

/** A request waits for one statement or commit at most this fraction of the statement limit. */
const REQUEST_PART = 1 / 3;

/** Fraction of the statement limit for statements that may scan a large part of a table. */
const LONG_READ_PART = 2 / 3;

/** Milliseconds after a timeout during which statements fail immediately. */
const DISTRUST_MS = 5_000;

interface Scope {
  /** Milliseconds; `Infinity` for no limit. */
  readonly limitMs: number;
  readonly kind: 'request' | 'statement' | 'background';
  /** Present in requests. Work that continues after the response has no limit. */
  readonly response?: Pick<ServerResponse, 'writableFinished' | 'destroyed'>;
}

const scopes = new AsyncLocalStorage<Scope>();

function scope(): Scope | undefined {
  const current = scopes.getStore();
  if (current === undefined || current.kind === 'background') return undefined;
  const { response } = current;
  return response?.writableFinished === true || response?.destroyed === true ? undefined : current;
}

/** Thrown when the database did not respond to a statement or commit in time. It may or may not have taken effect. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database did not respond within ${limitMs} ms.`);
  }
}

/** Maximum time in milliseconds that a request waits for one statement or commit. */
export function requestLimitMs(limitMs: number): number {
  return Math.round(limitMs * REQUEST_PART);
}

/** Handles a request. Until the response is closed, each statement and commit has the limit of requests. */
export function asRequest(response: ServerResponse, limitMs: number, handle: () => void): void {
  scopes.run({ limitMs, kind: 'request', response }, handle);
}

/** Runs work for several callers. The limit of the request or statement that started the work does not apply. */
export function inBackground<T>(work: () => T): T {
  return scopes.run({ limitMs: 0, kind: 'background' }, work);
}

/**
 * Runs statements that scan a large part of a table. They get a longer limit than statements of requests.
 * @param limitMs limit of statements outside of requests, in milliseconds
 */
export function asLongRead<T>(limitMs: number, work: () => T): T {
  return withStatementLimit(Math.round(limitMs * LONG_READ_PART), work);
}

/** Runs statements with a separate limit, such as `Infinity` for migrations. */
export function withStatementLimit<T>(limitMs: number, work: () => T): T {
  return scopes.run({ limitMs, kind: 'statement' }, work);
}

/** The limit of the current request in milliseconds; undefined outside of requests. */
export function requestLimit(): number | undefined {
  const current = scope();
  return current?.kind === 'request' ? current.limitMs : undefined;
}

/**
 * Waits for work that several callers share. A request waits no longer than its limit.
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

/** Limits how long PostgreSQL statements may take. After a timeout, closes the connection of the statement. */
export class StatementWatch {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  /** @param limitMs limit for statements outside of requests, in milliseconds */
  constructor(readonly limitMs = DEFAULT_LIMIT_MS) {}

  /**
   * A watch that applies the limit of requests to all statements.
   * @param limitMs limit for statements outside of requests, in milliseconds; the limit of requests is a fraction of it
   */
  static asInRequests(limitMs = DEFAULT_LIMIT_MS): StatementWatch {
    return new StatementWatch(requestLimitMs(limitMs));
  }

  /** @throws StatementTimeoutError during the first seconds after a timeout */
  check(): void {
    if (performance.now() < this.distrustedUntil) throw new StatementTimeoutError(this.limitMs);
  }

  /**
   * Limits all statements of a connection. A statement that exceeds its limit fails, and the pool discards the
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

/** Fields of the driver that its type definitions omit. */
interface WithConnection {
  readonly connection: EventEmitter & { readonly stream: { destroy(error: Error): void } };
}

interface WithQuery {
  readonly query: (this: ClientBase, ...parameters: readonly unknown[]) => unknown;
}
