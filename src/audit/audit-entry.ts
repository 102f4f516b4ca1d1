import type { Principal } from '../access/index.js';

export interface Actor extends Pick<Principal, 'address' | 'requestId'> {
  /** Id of the user who acted; null for commands on the machine of the service, and for unknown callers. */
  readonly userId: string | null;
  readonly keyId: string | null;
}

export const OPERATOR: Actor = { userId: null, keyId: null, address: '' };

/**
 * State of a resource, in the form in which the API returns the resource. API responses contain no secrets, so the
 * audit log contains none either.
 */
export type AuditDocument = object;

/** Name of an action: a resource and a verb, for example `key.created`. */
export type AuditAction = `${string}.${string}`;

export interface AuditEvent {
  readonly teamId: string;
  /** Id of the affected project; absent for an action on the whole team. */
  readonly projectId?: string | null;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: AuditDocument;
  readonly after?: AuditDocument;
}
