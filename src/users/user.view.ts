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

  /** There for yourself and for those whose admin you are. */
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

/** Who calls, and what this key may do. */
export class MeView extends UserView {
  @ApiProperty({ type: () => [TeamOfUserView] })
  teams: readonly TeamOfUser[];

  /** The team in which this key acts. */
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  /** The one project that this key reaches; null for all of the team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  project_id: string | null;

  /** The key of this call; null for the dashboard. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  key_id: string | null;

  /** What this key may do here: its own scopes, as far as your role in the team gives them. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['workflows:read', 'executions:read'] })
  scopes: readonly Scope[];

  /** The address that this call came from. */
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

/** What a list of addresses would do. */
export class RestrictionsPreviewView {
  /** The address that this call came from. */
  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  /** Whether the list would lock this call out. */
  @ApiProperty({ type: 'boolean', example: false })
  would_lock_out_caller: boolean;

  /** Last callers of your keys that would be refused. */
  @ApiProperty({ type: () => [RecentCallerView] })
  blocked: readonly RecentCallerView[];

  /** Last callers of your keys that would go on. */
  @ApiProperty({ type: () => [RecentCallerView] })
  allowed: readonly RecentCallerView[];
}

/** @param isWhole whether the address list is shown, too */
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

/** A last use of a key, as the key of a team may see it. */
export function recentCallerView(caller: RecentCaller, teamId: string): RecentCallerView {
  const isOwnTeam = caller.teamId === teamId;
  return {
    key_id: isOwnTeam ? caller.keyId : null,
    key_name: isOwnTeam ? caller.keyName : null,
    address: caller.address,
    last_used_at: caller.lastUsedAt,
  };
}
