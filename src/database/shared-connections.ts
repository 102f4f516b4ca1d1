import type { ClientBase, Connection } from 'pg';

/** Connections to a pooler that may change the server connection after each transaction. */
const shared = new WeakSet<object>();

/** Marks a connection to a pooler that may change the server connection after each transaction. */
export function markShared(client: ClientBase): void {
  shared.add((client as unknown as { readonly connection: Connection }).connection);
}

/** Such a connection loses its prepared statements and settings after each transaction. */
export function isShared(connection: Connection): boolean {
  return shared.has(connection);
}
