import type { JsonObject } from '../expressions/index.js';

/** A session is `active` until it is closed or expires. Only an active session accepts changes and executions. */
export const SESSION_STATUSES = ['active', 'closed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Whether executions of a session run in parallel, or one at a time in the order of their starts. */
export const SESSION_CONCURRENCIES = ['parallel', 'serial'] as const;
export type SessionConcurrency = (typeof SESSION_CONCURRENCIES)[number];

/** Maximum size of the state and of the metadata, in bytes of JSON. */
export const MAX_DOCUMENT_BYTES = 65_536;

export function bytesOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** A named, durable context for executions that belong together. */
export interface Session {
  readonly id: string;
  readonly projectId: string;
  /** The caller's own name for the session. At most one open session per project has a given name. */
  readonly externalId: string | null;
  readonly name: string;
  readonly metadata: JsonObject;
  /** JSON that the session's executions share as `session.state`. */
  readonly state: JsonObject;
  /** Incremented by every change of the state. */
  readonly stateVersion: number;
  readonly concurrency: SessionConcurrency;
  /** Incremented by every change of a client or a node. Used as the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Time of the last change or of the last start of an execution. */
  readonly lastActivityAt: string;
  readonly expiresAt: string | null;
  readonly closedAt: string | null;
}

export interface SessionInput {
  readonly name?: string;
  readonly metadata?: JsonObject;
  readonly state?: JsonObject;
  readonly concurrency?: SessionConcurrency;
  /** ISO 8601 in UTC. Null for never. */
  readonly expiresAt?: string | null;
}

export interface NewSession extends SessionInput {
  readonly externalId?: string;
}

/**
 * Status of a session at a time. The status `expired` is never stored.
 *
 * @param now epoch milliseconds
 */
export function statusAt(
  { closedAt, expiresAt }: Pick<Session, 'closedAt' | 'expiresAt'>,
  now: number,
): SessionStatus {
  if (closedAt !== null) return 'closed';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
