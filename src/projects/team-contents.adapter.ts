import { type TeamContentsAdapter, TeamContents } from '../teams/index.js';
import { Injectable } from '@nestjs/common';
import type { DeletionEffect, Write } from '../storage/index.js';

import { ProjectDeletions } from './project-deletions.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

const FIRST_PROJECT_NAME = 'Default project';

/**
 * Adapter of the port `TeamContents`. Creates one project in each new team, because workflows can exist only in a
 * project.
 */
@Injectable()
export class ProjectsOfTeams implements TeamContentsAdapter {
  constructor(
    private readonly projects: ProjectsService,
    private readonly repository: ProjectsRepository,
    private readonly deletions: ProjectDeletions,
    port: TeamContents,
  ) {
    port.connect(this);
  }

  writes(teamId: string): readonly Write[] {
    return this.projects.prepare(teamId, FIRST_PROJECT_NAME).writes;
  }

  async countUnfinished(teamId: string): Promise<number> {
    let unfinished = 0;
    for (const id of await this.repository.idsOfTeam(teamId))
      unfinished += await this.deletions.countUnfinished(id);
    return unfinished;
  }

  async deletion(teamId: string): Promise<DeletionEffect> {
    return this.deletions.effectOf(await this.repository.idsOfTeam(teamId));
  }
}
