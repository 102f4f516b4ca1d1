import { Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, type Principal } from '../../access/index.js';
import { TeamsService } from '../../teams/index.js';
import { UsersService } from '../../users/index.js';
import type { SignIn } from './sign-in.js';

type Rights = Omit<Principal, 'address'>;

const CACHED_RIGHTS = 1_000;

/** Reads the rights of people in their selected team. The rights are cached until access changes anywhere. */
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

  /** Returns the rights of a person; null if the person is disabled or has left the team. */
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
    // A sign-in has all scopes of the person's role. Only API keys can be restricted to fewer scopes.
    return { userId, keyId: null, teamId, projectId: null, role, scopes: ['*'], plan: team.plan };
  }
}
