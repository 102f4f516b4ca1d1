import { ApiProperty } from '@nestjs/swagger';
import { IsString, IsUUID, Length, MaxLength, MinLength } from 'class-validator';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/index.js';

export class SignInBody {
  @ApiProperty({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH, example: 'ada@example.com' })
  @IsString()
  @Length(1, MAX_EMAIL_LENGTH)
  email: string;

  @ApiProperty({ type: 'string', maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery staple' })
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;
}

export class ChangePasswordBody {
  @ApiProperty({ type: 'string', maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery staple' })
  @IsString()
  @MaxLength(MAX_PASSWORD_LENGTH)
  current_password: string;

  @ApiProperty({
    type: 'string',
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_LENGTH,
    example: 'a much longer sentence',
  })
  @IsString()
  @MinLength(MIN_PASSWORD_LENGTH)
  @MaxLength(MAX_PASSWORD_LENGTH)
  new_password: string;
}

export class SwitchTeamBody {
  /** Id of the team to select. You must be a member of this team. */
  @ApiProperty({ type: 'string', format: 'uuid' })
  @IsUUID()
  team_id: string;
}
