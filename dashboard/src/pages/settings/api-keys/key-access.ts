import type { ApiKeyOnWire } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';

export type Scope = ApiKeyOnWire['scopes'][number];

export const ACTIONS = ['read', 'write'] as const;

/**
 * Rows of the permission matrix: each resource with its label. The resources `events` and `audit` have no write scope.
 */
export const RESOURCES = [
  ['workflows', texts.workflows],
  ['executions', texts.executions],
  ['sessions', texts.sessions],
  ['events', texts.events],
  ['schedules', texts.schedules],
  ['webhooks', texts.webhooks],
  ['secrets', texts.secrets],
  ['projects', texts.projects],
  ['teams', texts.teamsAndMembers],
  ['users', texts.people],
  ['keys', texts.apiKeysResource],
  ['audit', texts.auditLog],
] as const;

const READ: readonly Scope[] = [
  'workflows:read',
  'executions:read',
  'sessions:read',
  'events:read',
  'schedules:read',
  'webhooks:read',
  'hooks:read',
  'secrets:read',
  'projects:read',
  'teams:read',
  'users:read',
  'keys:read',
  'audit:read',
];
const WRITE: readonly Scope[] = [
  'workflows:write',
  'executions:write',
  'sessions:write',
  'schedules:write',
  'webhooks:write',
  'hooks:write',
  'secrets:write',
  'projects:write',
  'teams:write',
  'users:write',
  'keys:write',
];
const RUN: readonly Scope[] = [
  'workflows:read',
  'executions:read',
  'executions:write',
  'sessions:read',
  'sessions:write',
  'events:read',
];

export type Access = 'full' | 'read' | 'run' | 'custom';

export const PRESETS: readonly {
  readonly access: Access;
  readonly label: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
}[] = [
  { access: 'full', label: texts.full, hint: texts.fullHint, scopes: ['*'] },
  { access: 'read', label: texts.readOnly, hint: texts.readOnlyHint, scopes: READ },
  { access: 'run', label: texts.runOnly, hint: texts.runOnlyHint, scopes: RUN },
  { access: 'custom', label: texts.custom, hint: texts.customHint, scopes: [] },
];

/**
 * Returns the scope for an action on a resource, such as `keys:write`. Undefined if no such scope exists, for example
 * for `audit:write`.
 */
export function scopeOf(resource: string, action: string): Scope | undefined {
  return [...READ, ...WRITE].find((scope) => scope === `${resource}:${action}`);
}

export function accessOf(scopes: readonly Scope[]): Access {
  if (scopes.includes('*')) return 'full';
  const has = (preset: readonly Scope[]): boolean =>
    preset.length === scopes.length && preset.every((scope) => scopes.includes(scope));
  if (has(READ)) return 'read';
  return has(RUN) ? 'run' : 'custom';
}
