import type { Principal } from '../access/index.js';

/** The actor of an audit entry. A principal is a valid actor. */
export interface Actor extends Pick<Principal, 'address' | 'requestId'> {
  /** Null for commands run on the machine of the service. */
  readonly userId: string | null;
  readonly keyId: string | null;
}

/** Actor of commands that run on the machine of the service. */
export const OPERATOR: Actor = { userId: null, keyId: null, address: '' };

/** The state of a resource before or after an action, in the form of its API response. Never contains a secret. */
export type AuditDocument = object;

/** Kind of resource and action: `key.created`. */
export type AuditAction = `${string}.${string}`;

/** An action, or a refused action. */
export interface AuditEvent {
  readonly teamId: string;
  /** The project of the affected resource; absent for an action on the team as a whole. */
  readonly projectId?: string | null;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: AuditDocument;
  readonly after?: AuditDocument;
}
