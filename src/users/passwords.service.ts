import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, changeTime } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { hashPassword, isPassword } from './password.js';
import type { PasswordLane } from './password-work.js';
import { UserNotFoundError } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** Key that signs the device tokens of a user. A device token marks a browser in which the user has signed in. */
export interface DeviceKey {
  readonly userId: string;
  readonly key: Buffer;
}

@Injectable()
export class PasswordsService {
  constructor(
    private readonly repository: UsersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Whether a password is the user's password. The check takes the same time if the user has no password or does not
   * exist.
   */
  async matches(userId: string, password: string, lane: PasswordLane): Promise<boolean> {
    const row = await this.repository.findById(userId);
    return isPassword(password, row?.passwordHash ?? null, lane);
  }

  /**
   * Returns the key that signs a person's device tokens; null for a person without a password. A new password changes
   * the key, so earlier device tokens become invalid.
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
   * Returns the writes that set a new password for a person. Callers must check the length of the password.
   * @throws UserNotFoundError
   */
  async change(userId: string, password: string): Promise<readonly Write[]> {
    const row = await this.repository.findById(userId);
    if (row === null) throw new UserNotFoundError(userId);
    const updatedAt = changeTime(row.updatedAt, this.clock.now());
    return [this.repository.setPassword(userId, await hashPassword(password), updatedAt)];
  }
}
