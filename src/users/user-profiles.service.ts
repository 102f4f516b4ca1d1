import { Inject, Injectable } from '@nestjs/common';
import { AddressRanges, atLeast, checkedAddressList, type Principal } from '../access/index.js';
import { AccessChanges } from '../audit/index.js';
import { changeTime, CLOCK, type Clock } from '../platform/index.js';
import { isTimeZone, type PageSize, type Preferences, type User } from './user.js';
import { type TeamOfUser, UserTeams } from './user-teams.js';
import { userView } from './user.view.js';
import {
  BeyondProjectError,
  InvalidUserError,
  UserChangedError,
  UserNotFoundError,
  UserNotYoursError,
  UserOutOfReachError,
  WouldLockOutCallerError,
} from './users.errors.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** Requested changes of a user. Omitted fields keep their values. */
export interface UserChange {
  readonly name?: string;
  /** IP addresses and CIDR ranges from which the person's API keys may be used. Null or empty for no restriction. */
  readonly allowedIps?: readonly string[] | null;
  /** Preferences to change. Accepted only if the caller changes their own record. */
  readonly preferences?: { readonly time_zone?: string; readonly page_size?: PageSize };
  /** Whether to accept a list of IP addresses that excludes the address of the caller. */
  readonly force: boolean;
}

/** A user, and whether the caller may change the user. */
export interface Profile {
  readonly user: User;
  readonly isManaged: boolean;
}

const ADDRESSES_PATH = 'api_key_restrictions.allowed_ips';

/** Reads and changes users: the caller's own record, and the records of people in the caller's team. */
@Injectable()
export class UserProfiles {
  constructor(
    private readonly users: UsersService,
    private readonly repository: UsersRepository,
    private readonly teams: UserTeams,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws UserNotFoundError; UserOutOfReachError when the person is not in the key's team. */
  async read(principal: Principal, id: string): Promise<Profile> {
    const user = await this.users.find(id);
    if (user === null) throw new UserNotFoundError(id);
    if (id === principal.userId) return { user, isManaged: true };
    const teams = await this.teams.adapter.of(id);
    if (!teams.some((team) => team.id === principal.teamId)) throw new UserOutOfReachError(id);
    return { user, isManaged: manages(principal, teams) };
  }

  teamsOf(principal: Principal): Promise<readonly TeamOfUser[]> {
    return this.teams.adapter.of(principal.userId);
  }

  /**
   * Changes the caller's own record, or the record of a user whom the caller administers.
   *
   * @throws UserNotFoundError; UserOutOfReachError; UserNotYoursError; BeyondProjectError; InvalidUserError;
   * ValidationError; WouldLockOutCallerError; UserChangedError.
   */
  async change(principal: Principal, id: string, change: UserChange): Promise<User> {
    const { user, isManaged } = await this.read(principal, id);
    if (!isManaged) throw new UserNotYoursError();
    if (principal.projectId !== null) throw new BeyondProjectError();
    const next: User = {
      ...user,
      name: change.name === undefined ? user.name : checkedName(change.name),
      allowedIps:
        change.allowedIps === undefined
          ? user.allowedIps
          : checkedAddressList(change.allowedIps, ADDRESSES_PATH),
      preferences: preferencesAfter(user.preferences, change.preferences),
      updatedAt: changeTime(user.updatedAt, this.clock.now()),
    };
    const isOwn = id === principal.userId;
    if (change.preferences !== undefined && !isOwn) throw new UserNotYoursError();
    if (change.allowedIps !== undefined && isOwn && !change.force) requireWithin(next.allowedIps, principal);
    const isRestricted = JSON.stringify(next.allowedIps) !== JSON.stringify(user.allowedIps);
    const isPreferred = JSON.stringify(next.preferences) !== JSON.stringify(user.preferences);
    if (!isRestricted && !isPreferred && next.name === user.name) return user;
    await this.changes.commit(
      principal,
      {
        teamId: principal.teamId,
        action: isRestricted ? 'user.restrictions_changed' : 'user.updated',
        target: { type: 'user', id },
        before: { ...userView(user, true), ...(isPreferred ? { preferences: user.preferences } : {}) },
        after: { ...userView(next, true), ...(isPreferred ? { preferences: next.preferences } : {}) },
      },
      [this.repository.update(next, user.updatedAt, () => new UserChangedError())],
    );
    return next;
  }
}

/**
 * Whether a caller administers a user. The caller must be an admin or owner, and the user must have no higher role and
 * be in no other team. Otherwise, anyone could create a team, add a user and change that user.
 */
function manages(principal: Principal, teams: readonly TeamOfUser[]): boolean {
  return (
    atLeast(principal.role, 'admin') &&
    teams.every(({ id, role }) => id === principal.teamId && atLeast(principal.role, role))
  );
}

function requireWithin(allowedIps: readonly string[] | null, { address }: Principal): void {
  if (allowedIps !== null && !AddressRanges.of(allowedIps).contains(address))
    throw new WouldLockOutCallerError(address);
}

/** @throws InvalidUserError when the time zone is unknown */
function preferencesAfter(before: Preferences, change: UserChange['preferences'] = {}): Preferences {
  const { time_zone: timeZone, page_size: pageSize } = change;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new InvalidUserError(
      'preferences.time_zone',
      'must be "local" or an IANA time zone, such as "UTC" or "Europe/Berlin"',
    );
  return { time_zone: timeZone ?? before.time_zone, page_size: pageSize ?? before.page_size };
}

function checkedName(name: string): string {
  const chosen = name.trim();
  if (chosen === '') throw new InvalidUserError('name', 'must not be empty');
  return chosen;
}
