import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { BeyondProjectError } from '../users/index.js';
import type { Team } from './team.js';
import { TeamNotFoundError, TeamOutOfReachError } from './teams.errors.js';
import { TeamsService } from './teams.service.js';

/** Returns the team to which the principal's key belongs. Throws `TeamOutOfReachError` for any other existing team. */
@Injectable()
export class TeamReach {
  constructor(private readonly teams: TeamsService) {}

  /** @throws TeamNotFoundError; TeamOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Team> {
    const team = await this.teams.find(id);
    if (team === null) throw new TeamNotFoundError(id);
    if (id !== principal.teamId) throw new TeamOutOfReachError(id);
    return team;
  }

  /** @throws TeamNotFoundError; TeamOutOfReachError; BeyondProjectError for a key bound to a project. */
  async change(principal: Principal, id: string): Promise<Team> {
    const team = await this.read(principal, id);
    if (principal.projectId !== null) throw new BeyondProjectError();
    return team;
  }
}
