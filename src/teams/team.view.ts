import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Role, ROLES } from '../access/index.js';
import type { User } from '../users/index.js';
import type { Invitation, ReceivedInvitation } from './invitation.js';
import type { Membership, Team } from './team.js';

const ID_EXAMPLE = '0199a8c0-6666-7abc-8def-0123456789ab';

export class TeamView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'Payments' })
  name: string;

  /** Name of the team's rate-limit plan. */
  @ApiProperty({ type: 'string', example: 'free' })
  plan: string;

  @ApiProperty({ enum: ROLES, example: 'owner' })
  role: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

export class MemberView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  user_id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'grace@example.com' })
  email: string;

  @ApiProperty({ type: 'string', example: 'Grace Hopper' })
  name: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

export class InvitationView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'grace@example.com' })
  email: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  invited_by: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;

  /**
   * The single-use link that accepts the invitation. Send the link to the invited person, because only this response
   * contains the link.
   */
  @ApiPropertyOptional({ type: 'string', example: 'http://127.0.0.1:3000/dashboard/invitation#t=Zk3v...' })
  url?: string;
}

export class AddedMemberView {
  /** Always null, because a person becomes a member only by accepting the invitation. */
  @ApiProperty({ type: () => MemberView, nullable: true, example: null })
  member: MemberView | null;

  @ApiProperty({ type: () => InvitationView })
  invitation: InvitationView;
}

class InvitingTeamView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'Payments' })
  name: string;
}

class InviterView {
  @ApiProperty({ type: 'string', example: 'Ada Lovelace' })
  name: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'ada@example.com' })
  email: string;
}

export class ReceivedInvitationView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: () => InvitingTeamView })
  team: InvitingTeamView;

  @ApiProperty({ type: () => InviterView })
  invited_by: InviterView;

  @ApiProperty({ type: 'string', format: 'email', example: 'grace@example.com' })
  email: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;
}

export function teamView({ id, name, plan, createdAt, updatedAt }: Team, role: Role): TeamView {
  return { id, name, plan, role, created_at: createdAt, updated_at: updatedAt };
}

export function memberView({ id, email, name }: User, { role, createdAt }: Membership): MemberView {
  return { user_id: id, email, name, role, created_at: createdAt };
}

export function receivedInvitationView({
  invitation,
  team,
  inviter,
}: ReceivedInvitation): ReceivedInvitationView {
  return {
    id: invitation.id,
    team: { id: team.id, name: team.name },
    invited_by: { name: inviter.name, email: inviter.email },
    email: invitation.email,
    role: invitation.role,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}

export function invitationView(invitation: Invitation): InvitationView {
  return {
    id: invitation.id,
    team_id: invitation.teamId,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}
