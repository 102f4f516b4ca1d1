import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientBase } from 'pg';

/** Default statement limit. */
export const DEFAULT_LIMIT_MS = 15_000;

/** A request waits for one statement or commit for at most this fraction of the statement limit. */
const REQUEST_PART = 1 / 3;

/** The fraction for statements that may scan much of a table. */
const LONG_READ_PART = 2 / 3;

/** How long after a timeout the database counts as unresponsive. */
const DISTRUST_MS = 5_000;

interface Scope {
  /** Milliseconds; `Infinity` for none. */
  readonly limitMs: number;
  readonly kind: 'request' | 'statement' | 'background';
  isOpen: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

function scope(): Scope | undefined {
  const current = scopes.getStore();
  return current?.isOpen === true && current.kind !== 'background' ? current : undefined;
}

/** Thrown when the database did not respond to a statement or commit in time; its outcome is unknown. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database did not answer within ${limitMs} ms.`);
  }
}

/** Maximum wait of a request for one statement or commit. */
export function requestLimitMs(limitMs: number): number {
  return Math.round(limitMs * REQUEST_PART);
}

/** Time limit of a statement that scans much of a table. */
export function longReadLimitMs(limitMs: number): number {
  return Math.round(limitMs * LONG_READ_PART);
}

/** Handles a request: until its response is closed, each statement and commit it waits for has the request's limit. */
export function asRequest(response: ServerResponse, limitMs: number, handle: () => void): void {
  const opened: Scope = { limitMs, kind: 'request', isOpen: true };
  response.once('close', () => (opened.isOpen = false));
  scopes.run(opened, handle);
}

/** Runs shared work outside of the request's or statement's limit that triggered it. */
export function inBackground<T>(work: () => T): T {
  return scopes.run({ limitMs: 0, kind: 'background', isOpen: true }, work);
}

/** Runs statements under a limit of their own, such as `Infinity` for migrations. */
export function withStatementLimit<T>(limitMs: number, work: () => T): T {
  return scopes.run({ limitMs, kind: 'statement', isOpen: true }, work);
}

/** The current request's limit in milliseconds; undefined outside of requests. */
export function requestLimit(): number | undefined {
  const current = scope();
  return current?.kind === 'request' ? current.limitMs : undefined;
}

/**
 * Waits for shared work, for a request no longer than its limit.
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

/** Ends PostgreSQL statements that get no response in time, with their connections, and records the timeout. */
export class StatementWatch {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  /** @param limitMs for statements outside of requests */
  constructor(readonly limitMs: number) {}

  /** @throws StatementTimeoutError while the database counts as unresponsive */
  check(): void {
    if (performance.now() < this.distrustedUntil) throw new StatementTimeoutError(this.limitMs);
  }

  /** Limits all statements of a connection: a stuck one fails with the connection, which is discarded. */
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

/** Fields of the driver that its types do not declare. */
interface WithConnection {
  readonly connection: EventEmitter & { readonly stream: { destroy(error: Error): void } };
}

interface WithQuery {
  readonly query: (this: ClientBase, ...parameters: readonly unknown[]) => unknown;
}
