import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AccessChanges, type Actor } from '../audit/index.js';
import { changeTime, CLOCK, type Clock } from '../platform/index.js';
import { ValidationError } from '../errors/index.js';
import { RateLimitPlans } from '../rate-limits/index.js';
import type { Team } from './team.js';
import { NotOperatorError, TeamChangedError, TeamNotFoundError } from './teams.errors.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';

/** Assigns rate-limit plans to teams. Only the operator of the installation decides which plan a team has. */
@Injectable()
export class TeamPlans {
  constructor(
    private readonly teams: TeamsService,
    private readonly repository: TeamsRepository,
    private readonly plans: RateLimitPlans,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Assigns a rate-limit plan to any team. The caller must be the operator of the installation, who is the owner with
   * the oldest membership. The caller's key must belong to the team of this membership and have the scope `*`.
   *
   * @throws NotOperatorError, and the errors of `give`.
   */
  async change(principal: Principal, id: string, plan: string): Promise<Team> {
    const first = await this.teams.firstOwner();
    const isOperator =
      principal.scopes.includes('*') &&
      principal.projectId === null &&
      principal.role === 'owner' &&
      first?.userId === principal.userId &&
      first.teamId === principal.teamId;
    if (!isOperator) throw new NotOperatorError();
    return this.give(principal, id, plan);
  }

  /**
   * Assigns a rate-limit plan to a team without checking the caller's rights. Every process applies the plan within a
   * second.
   *
   * @throws TeamNotFoundError; TeamChangedError; ValidationError when no plan has the given name.
   */
  async give(actor: Actor, id: string, plan: string): Promise<Team> {
    const team = await this.teams.find(id);
    if (team === null) throw new TeamNotFoundError(id);
    if (!this.plans.names.includes(plan))
      throw ValidationError.of('plan', 'unknown_plan', `must be one of ${this.plans.names.join(', ')}`);
    if (plan === team.plan) return team;
    const next: Team = { ...team, plan, updatedAt: changeTime(team.updatedAt, this.clock.now()) };
    await this.changes.commit(
      actor,
      {
        teamId: id,
        action: 'team.plan_changed',
        target: { type: 'team', id },
        before: { plan: team.plan },
        after: { plan },
      },
      [this.repository.setPlan(next, team.updatedAt, () => new TeamChangedError())],
    );
    return next;
  }
}
