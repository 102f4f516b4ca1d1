import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { OptionalText, Text } from '../fields/index.js';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../users/index.js';

/** Maximum length of the token from a link, in characters. All tokens that the service creates are shorter. */
export const MAX_LINK_TOKEN_LENGTH = 128;
export const MAX_NAME_LENGTH = 255;

export class SetUpBody {
  /** The token after `#t=` in the link that the service printed at start. */
  @Text({ minLength: 1, maxLength: MAX_LINK_TOKEN_LENGTH, example: '4fQ9Zb1LkX7cN2vRtY8wGh5sJd3mPa6uEo0K' })
  token: string;

  @Text({ maxLength: MAX_EMAIL_LENGTH, format: 'email', example: 'ada@example.com' })
  email: string;

  /** Name of the person. Defaults to the part of the email address before the `@`. */
  @OptionalText({ maxLength: MAX_NAME_LENGTH, example: 'Ada Lovelace' })
  name?: string;

  // Not `Text`: the API reports `min_length` or `max_length` here, not `is_length`.
  @ApiProperty({
    type: 'string',
    minLength: MIN_PASSWORD_LENGTH,
    maxLength: MAX_PASSWORD_LENGTH,
    example: 'correct horse battery staple',
  })
  @IsString()
  @MinLength(MIN_PASSWORD_LENGTH)
  @MaxLength(MAX_PASSWORD_LENGTH)
  password: string;
}

export class SetUpView {
  /** Whether the setup is open: true until the first admin exists. */
  @ApiProperty({ type: 'boolean', example: false })
  open: boolean;
}
