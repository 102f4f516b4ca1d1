import { Injectable } from '@nestjs/common';
import { FailedAuthLimiter, FailedSignInLimiter } from '../../rate-limits/index.js';
import {
  MAX_EMAIL_LENGTH,
  normalEmail,
  PasswordsService,
  type User,
  UsersService,
} from '../../users/index.js';
import { InvalidCredentialsError, WrongPasswordError } from './sign-in.errors.js';

/** Checks passwords, and counts the wrong ones of each account and of each address. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly addresses: FailedAuthLimiter,
    private readonly accounts: FailedSignInLimiter,
  ) {}

  /**
   * The person of an email address and a password. Takes the same time for addresses that nobody has.
   * @throws InvalidCredentialsError
   * @throws RateLimitError when the account or the caller's address had too many failures lately.
   */
  async personOf(email: string, password: string, address: string): Promise<User> {
    const account = accountOf(email);
    this.addresses.check(address);
    this.accounts.take(account);
    const user = await this.users.findByPassword(email, password);
    if (user === null) {
      this.addresses.failed(address);
      throw new InvalidCredentialsError();
    }
    this.accounts.succeeded(account);
    return user;
  }

  /**
   * Makes sure that a person who is signed in knows the password; wrong ones count as at signing in.
   * @throws WrongPasswordError; RateLimitError.
   */
  async require(userId: string, password: string, address: string): Promise<void> {
    const user = await this.users.find(userId);
    if (user === null) throw new WrongPasswordError();
    const account = accountOf(user.email);
    this.addresses.check(address);
    this.accounts.take(account);
    if (!(await this.passwords.matches(userId, password))) {
      this.addresses.failed(address);
      throw new WrongPasswordError();
    }
    this.accounts.succeeded(account);
  }
}

/** What is no address is counted, too, under as much of it as an address could have. */
function accountOf(email: string): string {
  return normalEmail(email) ?? email.slice(0, MAX_EMAIL_LENGTH);
}
