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
  readonly before?: AuditDocument | undefined;
  readonly after?: AuditDocument | undefined;
}

/**
 * States of a resource before and after an action. A created resource has no `before`, and a deleted resource has no
 * `after`.
 */
export type ResourceStates<T> =
  { readonly before?: T; readonly after: T } | { readonly before: T; readonly after?: undefined };

export type ResourceChange<T> = ResourceStates<T> & {
  /** Name of the action, such as `hook.created`. The part before the dot is the type of the resource. */
  readonly action: AuditAction;
  /** Returns the fields of the resource that the audit log stores. */
  readonly recorded: (state: T) => AuditDocument;
};

export interface AuditedResource {
  readonly id: string;
  /** Absent or null if the resource belongs to no project. */
  readonly projectId?: string | null;
}

/** Returns the audit event for a change of a resource. */
export function changeEvent<T extends AuditedResource>(
  { teamId }: Pick<AuditEvent, 'teamId'>,
  { action, recorded, ...states }: ResourceChange<T>,
): AuditEvent {
  const { before, after }: ResourceStates<AuditedResource> = states;
  const { id, projectId = null } = after ?? before;
  return {
    teamId,
    projectId,
    action,
    target: { type: action.slice(0, action.indexOf('.')), id },
    before: states.before && recorded(states.before),
    after: states.after && recorded(states.after),
  };
}
