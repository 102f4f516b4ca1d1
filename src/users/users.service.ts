import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { hashPassword, isPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.js';
import type { PasswordLane } from './password-work.js';
import type { UserEntity } from './user.entity.js';
import { DEFAULT_PREFERENCES, type NewUser, normalEmail, type User } from './user.js';
import { EmailTakenError, InvalidUserError } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** A user who is not stored yet, with the writes that store the user. */
export interface PreparedUser {
  readonly user: User;
  readonly writes: readonly Write[];
}

/** A user who proved their identity. A commit with the writes fails if the proof is no longer valid. */
export interface VerifiedUser {
  readonly user: User;
  readonly writes: readonly Write[];
}

@Injectable()
export class UsersService {
  constructor(
    private readonly repository: UsersRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<User | null> {
    const row = await this.repository.findById(id);
    return row === null ? null : userOf(row);
  }

  async findMany(ids: readonly string[]): Promise<readonly User[]> {
    return (await this.repository.findByIds(ids)).map(userOf);
  }

  async findByEmail(email: string): Promise<User | null> {
    const normal = normalEmail(email);
    const row = normal === undefined ? null : await this.repository.findByEmail(normal);
    return row === null ? null : userOf(row);
  }

  /** Whether the service has any user. While it has none, anyone with the setup token can create the first admin. */
  hasAny(): Promise<boolean> {
    return this.repository.hasAny();
  }

  /**
   * Returns the user with an email address and a password; null if the address or the password is wrong, or the user is
   * disabled. The check takes the same time in every case.
   * @param orFail returns the error of a later commit if the password has changed since the check
   */
  async findByPassword(
    email: string,
    password: string,
    lane: PasswordLane,
    orFail: () => Error,
  ): Promise<VerifiedUser | null> {
    const normal = normalEmail(email);
    const row = normal === undefined ? null : await this.repository.findByEmail(normal);
    const hash = row?.passwordHash ?? null;
    const matches = await isPassword(password.slice(0, MAX_PASSWORD_LENGTH + 1), hash, lane);
    if (row === null || hash === null || !matches || row.disabledAt !== null) return null;
    return { user: userOf(row), writes: [this.repository.requirePassword(row.id, hash, orFail)] };
  }

  /**
   * Prepares a new user. The commit of the returned writes fails with `EmailTakenError` if the address is taken.
   * @throws InvalidUserError if the address, the name or the password is invalid
   */
  async prepare({ email, name, password }: NewUser): Promise<PreparedUser> {
    const normal = normalEmail(email);
    if (normal === undefined) throw new InvalidUserError('email', 'must be an email address');
    const chosen = name?.trim() ?? '';
    if (password !== undefined) requirePasswordLength(password);
    const now = isoTime(this.clock.now());
    const row: UserEntity = {
      id: newId(),
      email: normal,
      name: chosen === '' ? normal.slice(0, normal.lastIndexOf('@')) : chosen,
      passwordHash: password === undefined ? null : await hashPassword(password),
      allowedIps: null,
      preferences: null,
      disabledAt: null,
      createdAt: now,
      updatedAt: now,
    };
    return { user: userOf(row), writes: [this.repository.insert(row, () => new EmailTakenError(normal))] };
  }
}

/** @throws InvalidUserError when a password is too short or too long. */
export function requirePasswordLength(password: string): void {
  if (password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH) return;
  throw new InvalidUserError(
    'password',
    `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
  );
}

function userOf({ id, email, name, allowedIps, preferences, ...times }: UserEntity): User {
  const { disabledAt, createdAt, updatedAt } = times;
  return {
    id,
    email,
    name,
    allowedIps,
    preferences: preferences ?? DEFAULT_PREFERENCES,
    disabledAt,
    createdAt,
    updatedAt,
  };
}
