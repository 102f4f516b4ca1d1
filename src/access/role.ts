import { type Scope, SCOPES } from './scope.js';

/** The roles that a person can have in a team, weakest first. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` has at least the rights of `least`. */
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
 * The maximum scopes of each role; a key cannot grant more. For viewers and members, `users:write` covers only their
 * own account.
 */
export const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  viewer: new Set<Scope>([...VIEWER, 'users:write']),
  member: new Set(MEMBER),
  admin: new Set(ADMIN),
  owner: new Set(ADMIN),
};
