import { MissingScopeError } from './access.errors.js';
import { type Role, ROLE_SCOPES } from './role.js';
import { grants, type Scope, type ScopeGrant } from './scope.js';

/** What a view token may read: one execution, or the executions of one session. */
export interface View {
  readonly kind: 'execution' | 'session';
  readonly id: string;
  /** Time at which the view token expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** The authenticated caller: an API key, a view token or a dashboard sign-in. */
export interface Principal {
  readonly userId: string;
  /** Id of the API key; null for a dashboard sign-in. */
  readonly keyId: string | null;
  readonly teamId: string;
  /** The project to which the key is bound; null if the key may access all projects of the team. */
  readonly projectId: string | null;
  readonly role: Role;
  readonly scopes: readonly ScopeGrant[];
  readonly plan: string;
  /** Rate-limit plan of the API key, with lower limits than the plan of the team; absent if the key has no own plan. */
  readonly keyPlan?: string;
  /** IP address of the caller. This is never the address of a trusted proxy between the caller and the service. */
  readonly address: string;
  /**
   * The only execution or session that a view token may read; absent for other credentials. With a view token, the
   * fields for user, key, team, role and plan describe the creator of the token.
   */
  readonly view?: View;
  /** Id of the HTTP request; absent outside of HTTP requests. */
  readonly requestId?: string;
}

/** Whether a caller has a scope. Both the scopes of the key and the role of its owner must grant the scope. */
export function allows(principal: Pick<Principal, 'role' | 'scopes'>, scope: Scope): boolean {
  return grants(principal.scopes, scope) && ROLE_SCOPES[principal.role].has(scope);
}

/**
 * Checks a scope inside a handler. Use this function if the scope depends on the content of the request, which a route
 * decorator cannot read.
 * @throws MissingScopeError if the caller does not have the scope
 */
export function requireScope(principal: Pick<Principal, 'role' | 'scopes'>, scope: Scope): void {
  if (!allows(principal, scope)) throw new MissingScopeError(scope);
}

export function reachesProject(
  principal: Principal,
  project: { readonly id: string; readonly teamId: string },
): boolean {
  return (
    project.teamId === principal.teamId &&
    (principal.projectId === null || principal.projectId === project.id)
  );
}
