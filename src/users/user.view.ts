import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { allows, type Principal, type Role, ROLES, type Scope, SCOPES } from '../access/index.js';
import type { RecentCaller } from './recent-callers.js';
import { PAGE_SIZES, type PageSize, type User } from './user.js';
import type { TeamOfUser } from './user-teams.js';

const ID_EXAMPLE = '0199a8c0-5555-7abc-8def-0123456789ab';

class ApiKeyRestrictionsView {
  /** IP addresses and CIDR ranges from which the person's API keys may be used. Null for no restriction. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: ['203.0.113.0/24'] })
  allowed_ips: readonly string[] | null;
}

class PreferencesView {
  /** Time zone in which the dashboard shows times: `local` for the time zone of the browser, or an IANA time zone. */
  @ApiProperty({ type: 'string', example: 'Europe/Berlin' })
  time_zone: string;

  @ApiProperty({ enum: PAGE_SIZES, example: 20 })
  page_size: PageSize;
}

export class UserView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.com' })
  email: string;

  @ApiProperty({ type: 'string', example: 'Ada Lovelace' })
  name: string;

  /** Restrictions of the person's API keys. Present only for yourself and for people whom you administer. */
  @ApiPropertyOptional({ type: () => ApiKeyRestrictionsView })
  api_key_restrictions?: ApiKeyRestrictionsView;

  /** How the dashboard shows times and lists. Present only for yourself. */
  @ApiPropertyOptional({ type: () => PreferencesView })
  preferences?: PreferencesView;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

class TeamOfUserView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'Default team' })
  name: string;

  @ApiProperty({ enum: ROLES, example: 'owner' })
  role: Role;
}

export class MeView extends UserView {
  @ApiProperty({ type: () => [TeamOfUserView] })
  teams: readonly TeamOfUser[];

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  /** Id of the only project that the request's key can access. Null if the key can access all projects of the team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  project_id: string | null;

  /** Id of the API key that sent the request. Null for a request of the dashboard. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  /** Scopes that the request has: the scopes of its key, limited by your role in the team. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'executions:read'] })
  scopes: readonly Scope[];

  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;
}

class RecentCallerView {
  /** Id of the API key that was used. Null if the key belongs to another team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'CI' })
  key_name: string | null;

  @ApiProperty({ type: 'string', example: '198.51.100.4' })
  address: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  last_used_at: string;
}

export class RestrictionsPreviewView {
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  /** Whether the tried list would exclude the address of this request. */
  @ApiProperty({ type: 'boolean', example: false })
  would_lock_out_caller: boolean;

  /** Recent uses of your API keys that the tried list would refuse. */
  @ApiProperty({ type: () => [RecentCallerView] })
  blocked: readonly RecentCallerView[];

  /** Recent uses of your API keys that the tried list would accept. */
  @ApiProperty({ type: () => [RecentCallerView] })
  allowed: readonly RecentCallerView[];
}

/** @param isWhole whether to include the address list */
export function userView(user: User, isWhole: boolean): Pick<UserView, keyof UserView> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    ...(isWhole ? { api_key_restrictions: { allowed_ips: user.allowedIps } } : {}),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

export function meView(user: User, teams: readonly TeamOfUser[], principal: Principal): MeView {
  return {
    ...userView(user, true),
    preferences: user.preferences,
    teams: teams.map(({ id, name, role }) => ({ id, name, role })),
    team_id: principal.teamId,
    project_id: principal.projectId,
    key_id: principal.keyId,
    scopes: SCOPES.filter((scope) => allows(principal, scope)),
    address: principal.address,
  };
}

/** Converts the last use of an API key to its response form. Hides the id and the name of a key of another team. */
export function recentCallerView(caller: RecentCaller, teamId: string): RecentCallerView {
  const isOwnTeam = caller.teamId === teamId;
  return {
    key_id: isOwnTeam ? caller.keyId : null,
    key_name: isOwnTeam ? caller.keyName : null,
    address: caller.address,
    last_used_at: caller.lastUsedAt,
  };
}
