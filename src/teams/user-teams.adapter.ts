import { type UserTeamsAdapter, type TeamOfUser, UserTeams } from '../users/index.js';
import { Injectable } from '@nestjs/common';
import { TeamsService } from './teams.service.js';

/** Adapter of the port `UserTeams`, through which the module `users` reads the teams of a user. */
@Injectable()
export class TeamsOfUsers implements UserTeamsAdapter {
  constructor(
    private readonly teams: TeamsService,
    port: UserTeams,
  ) {
    port.connect(this);
  }

  async of(userId: string): Promise<readonly TeamOfUser[]> {
    const memberships = await this.teams.memberships([userId]);
    const teams = await this.teams.findMany(memberships.map(({ teamId }) => teamId));
    const names = new Map(teams.map(({ id, name }) => [id, name]));
    return memberships.flatMap(({ teamId: id, role }) => {
      const name = names.get(id);
      return name === undefined ? [] : [{ id, name, role }];
    });
  }
}
