import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Role, ROLES } from '../access/index.js';
import type { User } from '../users/index.js';
import type { Invitation } from './invitation.js';
import type { Membership, Team } from './team.js';

const ID_EXAMPLE = '0199a8c0-6666-7abc-8def-0123456789ab';

/** A team on the wire. */
export class TeamView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'Payments' })
  name: string;

  /** The rate-limit plan in force. */
  @ApiProperty({ type: 'string', example: 'free' })
  plan: string;

  /** What you are in it. */
  @ApiProperty({ enum: ROLES, example: 'owner' })
  role: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

/** A member of a team, on the wire. */
export class MemberView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  user_id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'grace@example.com' })
  email: string;

  @ApiProperty({ type: 'string', example: 'Grace Hopper' })
  name: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  /** When the person joined. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

/** An offer to join a team, on the wire. */
export class InvitationView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  team_id: string;

  @ApiProperty({ type: 'string', format: 'email', example: 'grace@example.com' })
  email: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  /** Who invited. */
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  invited_by: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;

  /** The link that takes it up, once; hand it over yourself. Shown only where the invitation is made. */
  @ApiPropertyOptional({ type: 'string', example: 'http://127.0.0.1:3000/dashboard/invitation#t=Zk3v...' })
  url?: string;
}

/** Who was taken in, or invited where there is no such user yet. */
export class AddedMemberView {
  @ApiProperty({ type: () => MemberView, nullable: true })
  member: MemberView | null;

  @ApiProperty({ type: () => InvitationView, nullable: true, example: null })
  invitation: InvitationView | null;
}

export function teamView({ id, name, plan, createdAt, updatedAt }: Team, role: Role): TeamView {
  return { id, name, plan, role, created_at: createdAt, updated_at: updatedAt };
}

export function memberView({ id, email, name }: User, { role, createdAt }: Membership): MemberView {
  return { user_id: id, email, name, role, created_at: createdAt };
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
