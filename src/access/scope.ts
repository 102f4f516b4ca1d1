/** All scopes, in the order in which lists display them. */
export const SCOPES = [
  'workflows:read',
  'workflows:write',
  'executions:read',
  'executions:write',
  'sessions:read',
  'sessions:write',
  'events:read',
  'keys:read',
  'keys:write',
  'users:read',
  'users:write',
  'teams:read',
  'teams:write',
  'projects:read',
  'projects:write',
  'webhooks:read',
  'webhooks:write',
  'hooks:read',
  'hooks:write',
  'schedules:read',
  'schedules:write',
  'secrets:read',
  'secrets:write',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];
export type ScopeGrant = Scope | '*';

export function isScopeGrant(text: unknown): text is ScopeGrant {
  return text === '*' || (SCOPES as readonly unknown[]).includes(text);
}

export function grants(given: readonly ScopeGrant[], scope: Scope): boolean {
  return given.includes('*') || given.includes(scope);
}
