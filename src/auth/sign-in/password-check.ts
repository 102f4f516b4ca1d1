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

/** Where a password comes from. */
export interface PasswordOrigin {
  readonly address: string;
  readonly devices: DeviceTokens;
}

/** Checks passwords, and slows down whoever tries many. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly devices: KnownDevices,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * The person of an email address and a password. Takes the same time for addresses that nobody has; after several
   * wrong passwords it takes some seconds longer, except for known devices.
   * @throws InvalidCredentialsError
   * @throws RateLimitError when too many attempts of the caller's network wait already
   * @throws UnavailableError when too many passwords are checked at once
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
   * Makes sure that a person who is signed in knows the password. The sign-in is a known device.
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

/** What is no address is counted, too, under as much of it as an address could have. */
function accountOf(email: string): string {
  return normalEmail(email) ?? email.slice(0, MAX_EMAIL_LENGTH);
}
