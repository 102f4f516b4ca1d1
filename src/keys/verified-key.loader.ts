import { Injectable } from '@nestjs/common';
import { AddressRanges } from '../access/index.js';
import { ProjectsService } from '../projects/index.js';
import { TeamsService } from '../teams/index.js';
import { UsersService } from '../users/index.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { KeysRepository } from './keys.repository.js';
import type { VerifiedKey } from './verified-key.js';

const CHUNK = 500;

/**
 * Reads API keys together with the status and role of their owners. Returns no key whose owner is disabled or outside
 * the team, or whose project was deleted.
 */
@Injectable()
export class VerifiedKeyLoader {
  constructor(
    private readonly keys: KeysRepository,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly projects: ProjectsService,
  ) {}

  async byHash(hash: string): Promise<VerifiedKey | null> {
    const row = await this.keys.findActiveByHash(hash);
    if (row === null) return null;
    return (await this.complete([row])).get(row.id) ?? null;
  }

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, VerifiedKey>> {
    const found = new Map<string, VerifiedKey>();
    for (let start = 0; start < ids.length; start += CHUNK) {
      const rows = await this.keys.findActiveByIds(ids.slice(start, start + CHUNK));
      for (const [id, key] of await this.complete(rows)) found.set(id, key);
    }
    return found;
  }

  private async complete(rows: readonly ApiKeyEntity[]): Promise<ReadonlyMap<string, VerifiedKey>> {
    const userIds = [...new Set(rows.map(({ userId }) => userId))];
    const [users, teams, memberships, projectIds] = await Promise.all([
      this.users.findMany(userIds),
      this.teams.findMany([...new Set(rows.map(({ teamId }) => teamId))]),
      this.teams.memberships(userIds),
      this.projects.existing(rows.flatMap(({ projectId }) => (projectId === null ? [] : [projectId]))),
    ]);
    const usersById = new Map(users.map((user) => [user.id, user]));
    const teamsById = new Map(teams.map((team) => [team.id, team]));
    const roles = new Map(memberships.map(({ teamId, userId, role }) => [`${teamId} ${userId}`, role]));
    const complete = new Map<string, VerifiedKey>();
    for (const row of rows) {
      const user = usersById.get(row.userId);
      const team = teamsById.get(row.teamId);
      const role = roles.get(`${row.teamId} ${row.userId}`);
      if (user === undefined || user.disabledAt !== null || team === undefined || role === undefined)
        continue;
      if (row.projectId !== null && !projectIds.has(row.projectId)) continue;
      const { id: keyId, userId, teamId, projectId, scopes } = row;
      complete.set(keyId, {
        rights: {
          ...{ keyId, userId, teamId, projectId, scopes, role, plan: team.plan },
          ...(row.plan === null ? {} : { keyPlan: row.plan }),
        },
        expiresAt: row.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(row.expiresAt),
        addressLists: [user.allowedIps, row.allowedIps].flatMap((list) =>
          list === null ? [] : [AddressRanges.of(list)],
        ),
      });
    }
    return complete;
  }
}
