import { Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, type Principal } from '../../access/index.js';
import { TeamsService } from '../../teams/index.js';
import { UsersService } from '../../users/index.js';
import type { SignIn } from './sign-in.js';

type Rights = Omit<Principal, 'address'>;

/** Number of memberships that a process caches. */
const CACHED_RIGHTS = 1_000;

/** The rights of a signed-in person in the selected team; cached until any access changes. */
@Injectable()
export class SignInRights {
  private readonly cache: EpochCache<Rights>;

  constructor(
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    epoch: AccessEpoch,
  ) {
    this.cache = new EpochCache(epoch, CACHED_RIGHTS);
  }

  /** Null if the person is disabled or no longer in the team. */
  of({ userId, teamId }: Pick<SignIn, 'userId' | 'teamId'>): Promise<Rights | null> {
    return this.cache.get(`${userId} ${teamId}`, () => this.load(userId, teamId));
  }

  private async load(userId: string, teamId: string): Promise<Rights | null> {
    const [user, team, membership] = await Promise.all([
      this.users.find(userId),
      this.teams.find(teamId),
      this.teams.membership(teamId, userId),
    ]);
    if (user?.disabledAt !== null || team === null || membership === null) return null;
    const { role } = membership;
    // All rights of the role: a sign-in is the person, not a restricted key.
    return { userId, keyId: null, teamId, projectId: null, role, scopes: ['*'], plan: team.plan };
  }
}
