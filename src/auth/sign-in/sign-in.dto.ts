import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { Id, Text } from '../../fields/index.js';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/index.js';

export class SignInBody {
  @Text({ minLength: 1, maxLength: MAX_EMAIL_LENGTH, format: 'email', example: 'ada@example.com' })
  email: string;

  @Text({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery staple' })
  password: string;
}

export class ChangePasswordBody {
  @Text({ maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery staple' })
  current_password: string;

  // Not `Text`: the API reports `min_length` or `max_length` here, not `is_length`.
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
  @Id()
  team_id: string;
}
