import type { Principal } from '../access/index.js';

export interface Actor extends Pick<Principal, 'address' | 'requestId'> {
  /** Null for commands on the machine of the service. */
  readonly userId: string | null;
  readonly keyId: string | null;
}

export const OPERATOR: Actor = { userId: null, keyId: null, address: '' };

/** A resource as the API returns it, so without secrets. */
export type AuditDocument = object;

/** For example `key.created`. */
export type AuditAction = `${string}.${string}`;

export interface AuditEvent {
  readonly teamId: string;
  /** Absent for an action on the whole team. */
  readonly projectId?: string | null;
  readonly action: AuditAction;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: AuditDocument;
  readonly after?: AuditDocument;
}
