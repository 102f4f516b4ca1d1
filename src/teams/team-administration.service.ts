import { Inject, Injectable } from '@nestjs/common';
import type { Principal, Role } from '../access/index.js';
import { AccessChanges } from '../audit/index.js';
import { changeTime, CLOCK, type Clock, isoTime } from '../platform/index.js';
import { ValidationError } from '../errors/index.js';
import { BeyondProjectError } from '../users/index.js';
import { TeamContents } from './team-contents.js';
import type { Team } from './team.js';
import { TeamReach } from './team-reach.js';
import { teamView } from './team.view.js';
import {
  LastTeamError,
  NotTeamOwnerError,
  TeamBusyError,
  TeamChangedError,
  TeamNotFoundError,
} from './teams.errors.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';

export interface OwnTeam {
  readonly team: Team;
  readonly role: Role;
}

@Injectable()
export class TeamAdministration {
  constructor(
    private readonly teams: TeamsService,
    private readonly repository: TeamsRepository,
    private readonly reach: TeamReach,
    private readonly contents: TeamContents,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ userId }: Principal): Promise<readonly OwnTeam[]> {
    const memberships = await this.teams.memberships([userId]);
    const roles = new Map(memberships.map(({ teamId, role }) => [teamId, role]));
    const teams = await this.teams.findMany([...roles.keys()]);
    return teams
      .flatMap((team) => {
        const role = roles.get(team.id);
        return role === undefined ? [] : [{ team, role }];
      })
      .sort((left, right) => (left.team.id < right.team.id ? -1 : 1));
  }

  /**
   * Returns a team of which the caller is a member, even if the caller's key belongs to another team.
   *
   * @throws TeamNotFoundError
   */
  async readOwn(principal: Principal, id: string): Promise<OwnTeam> {
    const own = (await this.list(principal)).find(({ team }) => team.id === id);
    if (own === undefined) throw new TeamNotFoundError(id);
    return own;
  }

  /** @throws TeamNotFoundError; TeamOutOfReachError. */
  read(principal: Principal, id: string): Promise<Team> {
    return this.reach.read(principal, id);
  }

  /**
   * Creates a team with one project. The caller becomes the owner of the team.
   *
   * @throws BeyondProjectError; ValidationError.
   */
  async create(principal: Principal, name: string): Promise<Team> {
    if (principal.projectId !== null) throw new BeyondProjectError();
    const { team, writes } = this.teams.prepare(checkedName(name), principal.userId);
    await this.changes.commit(
      principal,
      {
        teamId: team.id,
        action: 'team.created',
        target: { type: 'team', id: team.id },
        after: teamView(team, 'owner'),
      },
      [...writes, ...this.contents.adapter.writes(team.id)],
      team.id,
    );
    return team;
  }

  /** @throws TeamNotFoundError; TeamOutOfReachError; BeyondProjectError; ValidationError; TeamChangedError. */
  async rename(principal: Principal, id: string, name: string | undefined): Promise<Team> {
    const team = await this.reach.change(principal, id);
    const next = {
      ...team,
      name: name === undefined ? team.name : checkedName(name),
      updatedAt: changeTime(team.updatedAt, this.clock.now()),
    };
    if (next.name === team.name) return team;
    await this.changes.commit(
      principal,
      {
        teamId: id,
        action: 'team.updated',
        target: { type: 'team', id },
        before: { name: team.name },
        after: { name: next.name },
      },
      [this.repository.rename(next, team.updatedAt, () => new TeamChangedError())],
    );
    return next;
  }

  /**
   * Deletes a team. Afterwards, neither API keys nor members have access to the team.
   *
   * @param cancel true to cancel unfinished executions of the team; false to refuse the deletion while an execution is
   * unfinished
   * @throws TeamNotFoundError; TeamOutOfReachError; BeyondProjectError; NotTeamOwnerError; TeamBusyError.
   * @throws LastTeamError when the caller is in no other team.
   */
  async delete(principal: Principal, id: string, cancel: boolean): Promise<void> {
    const team = await this.reach.change(principal, id);
    if (principal.role !== 'owner') throw new NotTeamOwnerError();
    const unfinished = cancel ? 0 : await this.contents.adapter.countUnfinished(id);
    if (unfinished > 0) throw new TeamBusyError(unfinished);
    const now = isoTime(this.clock.now());
    const effect = await this.contents.adapter.deletion(id);
    await this.changes.commit(
      principal,
      {
        teamId: id,
        action: 'team.deleted',
        target: { type: 'team', id },
        before: teamView(team, principal.role),
      },
      [this.repository.markDeleted(id, now, principal.userId, () => new LastTeamError()), ...effect.writes],
    );
    await effect.begin();
  }
}

function checkedName(name: string): string {
  const chosen = name.trim();
  if (chosen === '') throw ValidationError.of('name', 'is_empty', 'must not be empty');
  return chosen;
}
