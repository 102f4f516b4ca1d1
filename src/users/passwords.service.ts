import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, changeTime } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { hashPassword, isPassword } from './password.js';
import type { PasswordLane } from './password-work.js';
import { UserNotFoundError } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** Signs the tokens of a person's known devices. */
export interface DeviceKey {
  readonly userId: string;
  readonly key: Buffer;
}

/** The passwords of people who are known already. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly repository: UsersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether it is the password of a person; takes the same time for people without one. */
  async matches(userId: string, password: string, lane: PasswordLane): Promise<boolean> {
    const row = await this.repository.findById(userId);
    return isPassword(password, row?.passwordHash ?? null, lane);
  }

  /**
   * A key that only this service knows and that another password replaces, to sign what a person's devices keep; null
   * for a person without a password.
   */
  async deviceKey(person: { readonly id: string } | { readonly email: string }): Promise<DeviceKey | null> {
    const row =
      'id' in person
        ? await this.repository.findById(person.id)
        : await this.repository.findByEmail(person.email);
    if (typeof row?.passwordHash !== 'string') return null;
    return { userId: row.id, key: createHmac('sha256', row.passwordHash).update('known device').digest() };
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
