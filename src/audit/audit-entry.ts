import type { Principal } from '../access/index.js';

/** The actor of an audit entry; a principal is one. */
export interface Actor extends Pick<Principal, 'address' | 'requestId'> {
  /** Null for commands run on the machine itself. */
  readonly userId: string | null;
  readonly keyId: string | null;
}

/** The person who runs commands on the service's own machine. */
export const OPERATOR: Actor = { userId: null, keyId: null, address: '' };

/** The state of a resource before or after, as responses show it. Never a secret. */
export type AuditDocument = object;

/** `key.created`: the kind of resource and the action. */
export type AuditAction = `${string}.${string}`;

/** An action, or a refused one. */
export interface AuditEvent {
  readonly teamId: string;
  /** The project it belongs to; absent for what belongs to the team as a whole. */
  readonly projectId?: string | null;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: AuditDocument;
  readonly after?: AuditDocument;
}
