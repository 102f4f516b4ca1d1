import type { JsonObject } from '../expressions/index.js';

/**
 * Statuses of a session: `active` until it is closed or expires. Only an active session accepts changes and executions.
 */
export const SESSION_STATUSES = ['active', 'closed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** How the executions of a session run: in parallel, or one at a time in the order of their starts. */
export const SESSION_CONCURRENCIES = ['parallel', 'serial'] as const;
export type SessionConcurrency = (typeof SESSION_CONCURRENCIES)[number];

/** Maximum size of a session's state, and of a session's metadata, in bytes of JSON. */
export const MAX_DOCUMENT_BYTES = 65_536;

export function bytesOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** A named, durable context for executions that belong together. */
export interface Session {
  readonly id: string;
  readonly projectId: string;
  /** The caller's own id for the session. In a project, only one open session can have a given external id. */
  readonly externalId: string | null;
  readonly name: string;
  readonly metadata: JsonObject;
  /** JSON document that the executions of the session share. Expressions read it as `session.state`. */
  readonly state: JsonObject;
  /** Version of the state, from 1. Every change of the state increments the version. */
  readonly stateVersion: number;
  readonly concurrency: SessionConcurrency;
  /**
   * Revision of the session, from 1. Every change by a client or a node increments the revision, which is also the
   * session's entity tag (ETag).
   */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Time of the last change of the session, or of the last start of an execution in the session. */
  readonly lastActivityAt: string;
  readonly expiresAt: string | null;
  readonly closedAt: string | null;
}

export interface SessionInput {
  readonly name?: string;
  readonly metadata?: JsonObject;
  readonly state?: JsonObject;
  readonly concurrency?: SessionConcurrency;
  /** Time at which the session expires, in ISO 8601 (UTC). Null for a session that never expires. */
  readonly expiresAt?: string | null;
}

export interface NewSession extends SessionInput {
  readonly externalId?: string;
}

/**
 * Returns the status of a session at a given time. The status `expired` is computed and never stored.
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
