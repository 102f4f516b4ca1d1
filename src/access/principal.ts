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

/** The authenticated caller: what the bearer guard found for the key or the dashboard's cookie. */
export interface Principal {
  readonly userId: string;
  /** The key that was used; null for a dashboard sign-in. */
  readonly keyId: string | null;
  readonly teamId: string;
  /** Set where the key is bound to one project. */
  readonly projectId: string | null;
  readonly role: Role;
  readonly scopes: readonly ScopeGrant[];
  /** Rate-limit plan of the team. */
  readonly plan: string;
  /** The lower plan of the key, where it has one. */
  readonly keyPlan?: string;
  /** The caller's address, after trusted proxies. */
  readonly address: string;
  /** Set for a view token: the only thing it may read. The other fields are those of the token's maker. */
  readonly view?: View;
  /** The request's id; absent outside of HTTP requests. */
  readonly requestId?: string;
}

/** Effective right: both the key's scopes and the owner's role must grant it. */
export function allows(principal: Pick<Principal, 'role' | 'scopes'>, scope: Scope): boolean {
  return grants(principal.scopes, scope) && ROLE_SCOPES[principal.role].has(scope);
}

/**
 * For rights that depend on more than the route.
 * @throws MissingScopeError
 */
export function requireScope(principal: Pick<Principal, 'role' | 'scopes'>, scope: Scope): void {
  if (!allows(principal, scope)) throw new MissingScopeError(scope);
}

/** Whether the principal may access a project of its team. */
export function reachesProject(
  principal: Principal,
  project: { readonly id: string; readonly teamId: string },
): boolean {
  return (
    project.teamId === principal.teamId &&
    (principal.projectId === null || principal.projectId === project.id)
  );
}
