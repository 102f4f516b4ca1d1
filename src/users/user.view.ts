import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { allows, type Principal, type Role, ROLES, type Scope, SCOPES } from '../access/index.js';
import type { RecentCaller } from './recent-callers.js';
import type { User } from './user.js';
import type { TeamOfUser } from './user-teams.js';

const ID_EXAMPLE = '0199a8c0-5555-7abc-8def-0123456789ab';

class ApiKeyRestrictionsView {
  /** Addresses from which any API key of the person may be used; null for all. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: ['203.0.113.0/24'] })
  allowed_ips: readonly string[] | null;
}

/** A person on the wire. */
export class UserView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.com' })
  email: string;

  @ApiProperty({ type: 'string', example: 'Ada Lovelace' })
  name: string;

  /** Present for yourself and for people whom you administer. */
  @ApiPropertyOptional({ type: () => ApiKeyRestrictionsView })
  api_key_restrictions?: ApiKeyRestrictionsView;

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

/** The caller, and what this key may do. */
export class MeView extends UserView {
  @ApiProperty({ type: () => [TeamOfUserView] })
  teams: readonly TeamOfUser[];

  /** The team in which this key acts. */
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  /** The only project that this key can access; null for all projects of the team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  project_id: string | null;

  /** The key of this request; null for the dashboard. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  /** What this key may do: its own scopes, limited by your role in the team. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'executions:read'] })
  scopes: readonly Scope[];

  /** The address of this request. */
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;
}

class RecentCallerView {
  /** Null for a key of another team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'CI' })
  key_name: string | null;

  @ApiProperty({ type: 'string', example: '198.51.100.4' })
  address: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  last_used_at: string;
}

/** The effect of an address list. */
export class RestrictionsPreviewView {
  /** The address of this request. */
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  /** Whether the list would lock this caller out. */
  @ApiProperty({ type: 'boolean', example: false })
  would_lock_out_caller: boolean;

  /** Recent callers of your keys that the list would refuse. */
  @ApiProperty({ type: () => [RecentCallerView] })
  blocked: readonly RecentCallerView[];

  /** Recent callers of your keys that the list would accept. */
  @ApiProperty({ type: () => [RecentCallerView] })
  allowed: readonly RecentCallerView[];
}

/** @param isWhole whether to show the address list, too */
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
    teams: teams.map(({ id, name, role }) => ({ id, name, role })),
    team_id: principal.teamId,
    project_id: principal.projectId,
    key_id: principal.keyId,
    scopes: SCOPES.filter((scope) => allows(principal, scope)),
    address: principal.address,
  };
}

/** A key's last use, as a key of a team may see it. */
export function recentCallerView(caller: RecentCaller, teamId: string): RecentCallerView {
  const isOwnTeam = caller.teamId === teamId;
  return {
    key_id: isOwnTeam ? caller.keyId : null,
    key_name: isOwnTeam ? caller.keyName : null,
    address: caller.address,
    last_used_at: caller.lastUsedAt,
  };
}
