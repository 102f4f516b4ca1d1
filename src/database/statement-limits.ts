import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ClientBase } from 'pg';

/** Statement limit where settings name none. */
export const DEFAULT_LIMIT_MS = 15_000;

/** A request waits for one statement or commit at most this part of the statement limit. */
const REQUEST_PART = 1 / 3;

/** The part for statements that may pass over much of a table. */
const LONG_READ_PART = 2 / 3;

/** For this long after a statement was given up, the database counts as not answering. */
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

/** Thrown when the database did not answer a statement or a commit in time; what became of it is unknown. */
export class StatementTimeoutError extends Error {
  override readonly name = 'StatementTimeoutError';
  readonly code = 'ETIMEDOUT';

  constructor(limitMs: number) {
    super(`The database did not answer within ${limitMs} ms.`);
  }
}

/** How long a request waits for one statement or commit. */
export function requestLimitMs(limitMs: number): number {
  return Math.round(limitMs * REQUEST_PART);
}

/** How long a statement may take that passes over much of a table. */
export function longReadLimitMs(limitMs: number): number {
  return Math.round(limitMs * LONG_READ_PART);
}

/** Handles a request: until its response is closed, each statement and commit it waits for has the request's limit. */
export function asRequest(response: ServerResponse, limitMs: number, handle: () => void): void {
  const opened: Scope = { limitMs, kind: 'request', isOpen: true };
  response.once('close', () => (opened.isOpen = false));
  scopes.run(opened, handle);
}

/** Does work that a request or a limited statement may cause, but that goes on for others. */
export function inBackground<T>(work: () => T): T {
  return scopes.run({ limitMs: 0, kind: 'background', isOpen: true }, work);
}

/** Sends statements under a limit of their own, such as `Infinity` for changes of the schema. */
export function withStatementLimit<T>(limitMs: number, work: () => T): T {
  return scopes.run({ limitMs, kind: 'statement', isOpen: true }, work);
}

/** What the request that this is called for waits at most, in milliseconds; undefined outside of requests. */
export function requestLimit(): number | undefined {
  const current = scope();
  return current?.kind === 'request' ? current.limitMs : undefined;
}

/**
 * Waits for what is shared with others, for a request no longer than its limit.
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

/** Gives up statements of PostgreSQL that are not answered in time, with their connections, and remembers that it did. */
export class StatementWatch {
  private distrustedUntil = Number.NEGATIVE_INFINITY;

  /** @param limitMs of statements outside of requests */
  constructor(readonly limitMs: number) {}

  /** @throws StatementTimeoutError while statements were given up a moment ago */
  check(): void {
    if (performance.now() < this.distrustedUntil) throw new StatementTimeoutError(this.limitMs);
  }

  /** Limits all statements of a connection: one that is stuck fails with the connection, which nobody uses again. */
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

/** What the driver has and does not declare. */
interface WithConnection {
  readonly connection: EventEmitter & { readonly stream: { destroy(error: Error): void } };
}

interface WithQuery {
  readonly query: (this: ClientBase, ...parameters: readonly unknown[]) => unknown;
}
