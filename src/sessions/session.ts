import type { JsonObject } from '../expressions/index.js';

/** A session is `active` until it is closed or expires. Only an active session accepts changes and executions. */
export const SESSION_STATUSES = ['active', 'closed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Whether executions of a session run in parallel, or one at a time in the order of their starts. */
export const SESSION_CONCURRENCIES = ['parallel', 'serial'] as const;
export type SessionConcurrency = (typeof SESSION_CONCURRENCIES)[number];

/** Maximum size of the state's JSON, and of the metadata's JSON, in bytes. */
export const MAX_DOCUMENT_BYTES = 65_536;

/** Size of a document's JSON in bytes of UTF-8. */
export function bytesOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** A named, durable context for the executions of one piece of work. A session itself runs nothing. */
export interface Session {
  readonly id: string;
  readonly projectId: string;
  /** The caller's own name for the piece of work; identifies at most one open session per project. */
  readonly externalId: string | null;
  readonly name: string;
  readonly metadata: JsonObject;
  /** JSON shared by the executions of the session; expressions read it as `session.state`. */
  readonly state: JsonObject;
  /** Incremented by every change of the state. */
  readonly stateVersion: number;
  readonly concurrency: SessionConcurrency;
  /** Incremented by every change by a client or a node. The entity tag is derived from it. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Time of the last change or of the last start of an execution. */
  readonly lastActivityAt: string;
  readonly expiresAt: string | null;
  readonly closedAt: string | null;
}

/** The fields that a client may set at any time. */
export interface SessionInput {
  readonly name?: string;
  readonly metadata?: JsonObject;
  readonly state?: JsonObject;
  readonly concurrency?: SessionConcurrency;
  /** ISO 8601 in UTC; null for never. */
  readonly expiresAt?: string | null;
}

/** The fields of a new session. */
export interface NewSession extends SessionInput {
  readonly externalId?: string;
}

/** Status of a session at a time. The status `expired` is never stored. @param now epoch milliseconds */
export function statusAt(
  { closedAt, expiresAt }: Pick<Session, 'closedAt' | 'expiresAt'>,
  now: number,
): SessionStatus {
  if (closedAt !== null) return 'closed';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
