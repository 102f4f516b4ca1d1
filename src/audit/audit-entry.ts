import type { Principal } from '../access/index.js';

/** Who did something: a principal is one. */
export interface Actor extends Pick<Principal, 'address' | 'requestId'> {
  /** Null for what is done on the machine itself, by a command. */
  readonly userId: string | null;
  readonly keyId: string | null;
}

/** Whoever runs commands on the service's own machine. */
export const OPERATOR: Actor = { userId: null, keyId: null, address: '' };

/** What something was or became, as answers show it. Never a secret. */
export type AuditDocument = object;

/** `key.created`: the kind of thing, and what happened to it. */
export type AuditAction = `${string}.${string}`;

/** Something that was done, or refused. */
export interface AuditEvent {
  readonly teamId: string;
  /** The project it belongs to; left out for what is the team's as a whole. */
  readonly projectId?: string | null;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: AuditDocument;
  readonly after?: AuditDocument;
}
