import { Injectable } from '@nestjs/common';
import { refusing } from '../../access/index.js';
import { SignInThrottle } from '../../rate-limits/index.js';
import {
  MAX_EMAIL_LENGTH,
  normalEmail,
  type PasswordLane,
  PasswordsService,
  type User,
  UsersService,
} from '../../users/index.js';
import { type DeviceTokens, KnownDevices } from './known-devices.js';
import type { SignIn } from './sign-in.js';
import { InvalidCredentialsError, WrongPasswordError } from './sign-in.errors.js';

/** Origin of a password attempt. */
export interface PasswordOrigin {
  readonly address: string;
  readonly devices: DeviceTokens;
}

/** Checks passwords and delays callers that try many. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly devices: KnownDevices,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * The person with an email address and a password. Unknown addresses take the same time. After several wrong
   * passwords it takes some seconds longer, except for known devices.
   * @throws InvalidCredentialsError
   * @throws RateLimitError when too many attempts of the caller's network are waiting
   * @throws UnavailableError when too many passwords are being checked at once
   */
  async personOf(email: string, password: string, { address, devices }: PasswordOrigin): Promise<User> {
    const account = accountOf(email);
    const device = await this.devices.find(email, devices);
    const attempt = await this.throttle.admit({ account, address, device });
    const user = await this.users.findByPassword(email, password, laneOf(attempt.isKnown));
    if (user === null) throw refusing(new InvalidCredentialsError(), { email });
    attempt.succeeded();
    return user;
  }

  /**
   * Checks that a signed-in person knows the password. The sign-in counts as a known device.
   * @throws WrongPasswordError; RateLimitError and UnavailableError as `personOf` does.
   */
  async require(
    { id, userId }: Pick<SignIn, 'id' | 'userId'>,
    password: string,
    address: string,
  ): Promise<void> {
    const user = await this.users.find(userId);
    if (user === null) throw new WrongPasswordError();
    const attempt = await this.throttle.admit({ account: accountOf(user.email), address, device: id });
    if (!(await this.passwords.matches(userId, password, laneOf(attempt.isKnown))))
      throw new WrongPasswordError();
    attempt.succeeded();
  }
}

function laneOf(isKnown: boolean): PasswordLane {
  return isKnown ? 'known' : 'unknown';
}

/** Malformed addresses are counted, too, truncated to the maximum length of an address. */
function accountOf(email: string): string {
  return normalEmail(email) ?? email.slice(0, MAX_EMAIL_LENGTH);
}
