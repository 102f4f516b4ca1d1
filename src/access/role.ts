import { type Scope, SCOPES } from './scope.js';

/** Roles of team members, ordered from weakest to strongest. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

const VIEWER: readonly Scope[] = [
  'workflows:read',
  'executions:read',
  'sessions:read',
  'events:read',
  'keys:read',
  'users:read',
  'teams:read',
  'projects:read',
  'webhooks:read',
  'hooks:read',
  'schedules:read',
];
const MEMBER: readonly Scope[] = [
  ...VIEWER,
  'workflows:write',
  'executions:write',
  'sessions:write',
  'keys:write',
  'users:write',
  'webhooks:write',
  'hooks:write',
  'schedules:write',
  'secrets:read',
];
const ADMIN: readonly Scope[] = SCOPES;

/**
 * Scopes that each role grants. A member's key can have at most the scopes of the member's role. For viewers and
 * members, `users:write` covers only their own account.
 */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>([...VIEWER, 'users:write']),
  member: new Set(MEMBER),
  admin: new Set(ADMIN),
  owner: new Set(ADMIN),
};
