import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, changeTime, type Write } from '../platform/index.js';
import { hashPassword, isPassword } from './password.js';
import { UserNotFoundError } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** The passwords of people who are known already. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly repository: UsersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether it is the password of a person; takes the same time for people without one. */
  async matches(userId: string, password: string): Promise<boolean> {
    const row = await this.repository.findById(userId);
    return isPassword(password, row?.passwordHash ?? null);
  }

  /**
   * What gives a person another password; its length is the caller's to check.
   * @throws UserNotFoundError
   */
  async change(userId: string, password: string): Promise<readonly Write[]> {
    const row = await this.repository.findById(userId);
    if (row === null) throw new UserNotFoundError(userId);
    const updatedAt = changeTime(row.updatedAt, this.clock.now());
    return [this.repository.setPassword(userId, await hashPassword(password), updatedAt)];
  }
}
