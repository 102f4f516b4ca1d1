import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Length, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../access/index.js';
import { MAX_EMAIL_LENGTH } from '../users/index.js';
import { MAX_TEAM_NAME_LENGTH } from './team.js';

/**
 * Body of a request that creates a team. The body cannot set a rate-limit plan, because only the operator of the
 * installation assigns plans.
 */
export class TeamBody {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  @IsString()
  @Length(1, MAX_TEAM_NAME_LENGTH)
  name: string;
}

/** The fields of a team that a client can change. Omitted fields keep their values. */
export class ChangeTeamBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TEAM_NAME_LENGTH)
  name?: string;

  /**
   * Name of a rate-limit plan. Only the owner of the installation can set the plan of a team, with a key with the scope
   * `*` or in the dashboard.
   */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 64, example: 'pro' })
  @IsOptional()
  @IsString()
  @Length(1, 64)
  plan?: string;
}

/** The person to invite: an email address or, for a person with whom you share another team, a user id. */
export class AddMemberBody {
  @ApiPropertyOptional({
    type: 'string',
    format: 'email',
    maxLength: MAX_EMAIL_LENGTH,
    example: 'grace@example.com',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_EMAIL_LENGTH)
  email?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  user_id?: string;

  /** Role of the new member. The role cannot be higher than your own role. */
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role: Role;
}

export class ChangeMemberBody {
  /** New role of the member. The role cannot be higher than your own role. */
  @ApiProperty({ enum: ROLES, example: 'viewer' })
  @IsIn(ROLES)
  role: Role;
}

export class DeleteTeamQuery {
  /**
   * With `true`, the deletion cancels unfinished executions of the team, which requires `executions:write`. Otherwise,
   * unfinished executions prevent the deletion.
   */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  cancel?: 'true' | 'false';
}
