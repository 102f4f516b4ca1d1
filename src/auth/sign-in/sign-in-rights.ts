import { Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, type Principal } from '../../access/index.js';
import { TeamsService } from '../../teams/index.js';
import { UsersService } from '../../users/index.js';
import type { SignIn } from './sign-in.js';

type Rights = Omit<Principal, 'address'>;

/** People in teams that a process remembers. */
const CACHED_RIGHTS = 1_000;

/** What a person who is signed in may do in the team that is looked at; remembered until any access changes. */
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

  /** Null where the person is switched off or is not in the team any more. */
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
    // All that the role gives: a sign-in is the person, not a key with less.
    return { userId, keyId: null, teamId, projectId: null, role, scopes: ['*'], plan: team.plan };
  }
}
