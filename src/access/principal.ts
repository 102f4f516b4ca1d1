import { MissingScopeError } from './access.errors.js';
import { type Role, ROLE_SCOPES } from './role.js';
import { grants, type Scope, type ScopeGrant } from './scope.js';

/** What a view token may read: one execution, or the executions of one session. */
export interface View {
  readonly kind: 'execution' | 'session';
  readonly id: string;
  /** Epoch milliseconds. */
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
  /** Rate-limit plan of the key, lower than the plan of the team; absent if the key has none. */
  readonly keyPlan?: string;
  /** IP address of the caller, never of a trusted proxy between caller and service. */
  readonly address: string;
  /**
   * The only resource that a view token may read. Absent for other credentials. With a view token,
   * the other fields describe the creator of the token.
   */
  readonly view?: View;
  /** Id of the request; absent outside of HTTP requests. */
  readonly requestId?: string;
}

/** True if both the key's scopes and its owner's role grant the scope. */
export function allows(principal: Pick<Principal, 'role' | 'scopes'>, scope: Scope): boolean {
  return grants(principal.scopes, scope) && ROLE_SCOPES[principal.role].has(scope);
}

/**
 * Checks a scope that depends on the request's content, because the route's decorator cannot.
 * @throws MissingScopeError
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
