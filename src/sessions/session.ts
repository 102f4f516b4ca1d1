import type { JsonObject } from '../expressions/index.js';

/** `active` until it is closed or expires; only an active one accepts changes and executions. */
export const SESSION_STATUSES = ['active', 'closed', 'expired'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Whether executions of a session run in parallel or one by one, in the order of their starts. */
export const SESSION_CONCURRENCIES = ['parallel', 'serial'] as const;
export type SessionConcurrency = (typeof SESSION_CONCURRENCIES)[number];

/** Maximum JSON size of the state, and of the metadata. */
export const MAX_DOCUMENT_BYTES = 65_536;

/** As UTF-8. */
export function bytesOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document));
}

/** A named, durable context of the executions of one piece of work. It runs nothing itself. */
export interface Session {
  readonly id: string;
  readonly projectId: string;
  /** The caller's own name for the piece of work; identifies at most one open session per project. */
  readonly externalId: string | null;
  readonly name: string;
  readonly metadata: JsonObject;
  /** JSON shared by the executions of the session; expressions read it as `session.state`. */
  readonly state: JsonObject;
  /** Grows with every change of the state. */
  readonly stateVersion: number;
  readonly concurrency: SessionConcurrency;
  /** Grows with every change by a client or a node: the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it last changed or an execution started in it. */
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

/** `expired` is never stored: it follows from the clock. @param now epoch milliseconds */
export function statusAt(
  { closedAt, expiresAt }: Pick<Session, 'closedAt' | 'expiresAt'>,
  now: number,
): SessionStatus {
  if (closedAt !== null) return 'closed';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
