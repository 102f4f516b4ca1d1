import type { ClientBase, Connection } from 'pg';

/**
 * Client connections to a pooler in transaction mode. The pooler may use another server connection for each
 * transaction.
 */
const shared = new WeakSet<object>();

/** Records that a client connection leads to a pooler in transaction mode. */
export function markShared(client: ClientBase): void {
  shared.add((client as unknown as { readonly connection: Connection }).connection);
}

/**
 * Whether a client connection leads to a pooler in transaction mode. Such connections lose prepared statements and
 * settings after each transaction.
 */
export function isShared(connection: Connection): boolean {
  return shared.has(connection);
}
