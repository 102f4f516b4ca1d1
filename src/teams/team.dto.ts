import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Length, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../access/index.js';
import { MAX_EMAIL_LENGTH } from '../users/index.js';
import { MAX_TEAM_NAME_LENGTH } from './team.js';

/** What a client sets of a new team. Operators give it a plan. */
export class TeamBody {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  @IsString()
  @Length(1, MAX_TEAM_NAME_LENGTH)
  name: string;
}

/** What can be changed of a team; what is left out stays. */
export class ChangeTeamBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TEAM_NAME_LENGTH)
  name?: string;

  /** A rate-limit plan of the catalogue; any team's, for operators only: `*` of the owner of the installation. */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 64, example: 'pro' })
  @IsOptional()
  @IsString()
  @Length(1, 64)
  plan?: string;
}

/** Whom to invite to a team: by email, or by id if you share another team. */
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

  /** Not above your own. */
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsIn(ROLES)
  role: Role;
}

export class ChangeMemberBody {
  /** Not above your own. */
  @ApiProperty({ enum: ROLES, example: 'viewer' })
  @IsIn(ROLES)
  role: Role;
}

export class DeleteTeamQuery {
  /** Cancel unfinished executions instead of refusing; this needs `executions:write`, too. */
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  @IsOptional()
  @IsIn(['true', 'false'])
  cancel?: 'true' | 'false';
}
