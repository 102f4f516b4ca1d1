import { OptionalText, Text } from '../fields/index.js';
import { MAX_PASSWORD_LENGTH } from '../users/index.js';
import { MAX_LINK_TOKEN_LENGTH, MAX_NAME_LENGTH } from './set-up.dto.js';

export class ReadInvitationBody {
  /** The token after `#t=` in the link of the invitation. */
  @Text({
    minLength: 1,
    maxLength: MAX_LINK_TOKEN_LENGTH,
    example: 'q3VJv0N2b8mXy5tLhR1wZcKdPfGsUaEoTi7BnMlQx4Y',
  })
  token: string;
}

export class AcceptInvitationBody extends ReadInvitationBody {
  /** Name of the person for a new account. Ignored if the person already has an account. */
  @OptionalText({ maxLength: MAX_NAME_LENGTH, example: 'Ada Lovelace' })
  name?: string;

  /** The password of your account, or a password for your new account. Omit it if you are signed in. */
  @OptionalText({ maxLength: MAX_PASSWORD_LENGTH, example: 'correct horse battery staple' })
  password?: string;
}
