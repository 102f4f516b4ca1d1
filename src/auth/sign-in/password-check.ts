import { Injectable } from '@nestjs/common';
import { refusing } from '../../access/index.js';
import { SignInThrottle } from '../../rate-limits/index.js';
import {
  MAX_EMAIL_LENGTH,
  normalEmail,
  type PasswordLane,
  PasswordsService,
  UsersService,
  type VerifiedUser,
} from '../../users/index.js';
import { type DeviceTokens, KnownDevices } from './known-devices.js';
import type { SignIn } from './sign-in.js';
import { InvalidCredentialsError, WrongPasswordError } from './sign-in.errors.js';

/** The browser that sent a password: its IP address, and the tokens that can identify it as a known device. */
export interface PasswordOrigin {
  readonly address: string;
  readonly devices: DeviceTokens;
}

/** Checks passwords. After several wrong passwords, further checks are delayed. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly devices: KnownDevices,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * Returns the user with an email address and a password. The check takes equally long for unknown email addresses.
   * Several wrong passwords delay later checks of the account, except on known devices. A commit with the returned
   * writes fails with `InvalidCredentialsError` if the password has changed since the check.
   * @throws InvalidCredentialsError
   * @throws RateLimitError if too many checks for the caller's network are waiting
   * @throws UnavailableError if the process is already checking too many passwords
   */
  async personOf(
    email: string,
    password: string,
    { address, devices }: PasswordOrigin,
  ): Promise<VerifiedUser> {
    const account = accountOf(email);
    const device = await this.devices.find(email, devices);
    const attempt = await this.throttle.admit({ account, address, device });
    const refusal = (): Error => refusing(new InvalidCredentialsError(), { email });
    const verified = await this.users.findByPassword(email, password, laneOf(attempt.isKnown), refusal);
    if (verified === null) throw refusal();
    attempt.succeeded();
    return verified;
  }

  /**
   * Checks the current password of a signed-in user. The browser of the sign-in counts as a known device.
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

/**
 * Returns the key under which sign-in attempts are counted: the normal form of an email address. The key of a malformed
 * address, which has no normal form, is the address cut to the maximum length.
 */
function accountOf(email: string): string {
  return normalEmail(email) ?? email.slice(0, MAX_EMAIL_LENGTH);
}
