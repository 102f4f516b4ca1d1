import { Injectable } from '@nestjs/common';
import { refusing } from '../../access/index.js';
import { SignInThrottle } from '../../rate-limits/index.js';
import type { Write } from '../../storage/index.js';
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

/** The browser that sent a password: its IP address, and the tokens that can identify it as a known device. */
export interface PasswordOrigin {
  readonly address: string;
  readonly devices: DeviceTokens;
}

/** A user who proved their identity, with the writes that check the proof again in the same commit as other writes. */
export interface ProvenUser {
  readonly user: User;
  readonly writes: readonly Write[];
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
  async personOf(email: string, password: string, { address, devices }: PasswordOrigin): Promise<ProvenUser> {
    const account = accountOf(email);
    const device = await this.devices.find(email, devices);
    const attempt = await this.throttle.admit({ account, address, device });
    const found = await this.users.findByPassword(email, password, laneOf(attempt.isKnown));
    const refusal = (): Error => refusing(new InvalidCredentialsError(), { email });
    if (found === null) throw refusal();
    attempt.succeeded();
    return { user: found.user, writes: [found.requireUnchanged(refusal)] };
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
