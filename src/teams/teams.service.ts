import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '../access/index.js';
import { defaultPlan } from '../rate-limits/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import type { Write } from '../storage/index.js';
import { type Membership, type Team } from './team.js';
import type { TeamEntity } from './team.entity.js';
import { TeamsRepository } from './teams.repository.js';

/** A new team and its owner, with the writes that store the team and the membership of the owner. */
export interface PreparedTeam {
  readonly team: Team;
  readonly owner: Membership;
  readonly writes: readonly Write[];
}

@Injectable()
export class TeamsService {
  constructor(
    private readonly repository: TeamsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async find(id: string): Promise<Team | null> {
    const row = await this.repository.findById(id);
    return row === null ? null : this.teamOf(row);
  }

  async findMany(ids: readonly string[]): Promise<readonly Team[]> {
    return (await this.repository.findByIds(ids)).map((row) => this.teamOf(row));
  }

  /** Returns the membership of a user in a team, or null if the user is not a member. */
  membership(teamId: string, userId: string): Promise<Membership | null> {
    return this.repository.findMember(teamId, userId);
  }

  /** Returns the memberships of the given users, the oldest membership first. */
  memberships(userIds: readonly string[]): Promise<readonly Membership[]> {
    return this.repository.findMemberships(userIds);
  }

  /** Returns the oldest membership with the role of owner, or null if no team has an owner. */
  firstOwner(): Promise<Membership | null> {
    return this.repository.findFirstOwner();
  }

  /** Prepares a new team and its owner. The caller must commit the returned writes. */
  prepare(name: string, ownerId: string): PreparedTeam {
    const now = isoTime(this.clock.now());
    const row: TeamEntity = {
      id: newId(),
      name,
      plan: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    const owner: Membership = {
      teamId: row.id,
      userId: ownerId,
      role: 'owner' satisfies Role,
      createdAt: now,
    };
    return {
      team: this.teamOf(row),
      owner,
      writes: [this.repository.insert(row), this.repository.insertMember({ ...owner })],
    };
  }

  /**
   * Returns the writes that add a member to a team. The caller must commit the writes with `AccessEpoch.change`,
   * because a new membership changes access rights.
   *
   * @param onDuplicate returns the error for a user who is already a member
   */
  joining(teamId: string, userId: string, role: Role, onDuplicate: () => Error): readonly Write[] {
    const createdAt = isoTime(this.clock.now());
    return [this.repository.insertMember({ teamId, userId, role, createdAt }, onDuplicate)];
  }

  private teamOf({ id, name, plan, createdAt, updatedAt }: TeamEntity): Team {
    return { id, name, plan: plan ?? defaultPlan(this.settings), createdAt, updatedAt };
  }
}
