import { Injectable } from '@nestjs/common';
import type { Write } from '../platform/index.js';
import { NewTeamContents } from '../teams/index.js';
import { ProjectsService } from './projects.service.js';

const FIRST_PROJECT_NAME = 'Default project';

/** What a new team begins with: one project, so that workflows have where to go. */
@Injectable()
export class FirstProject extends NewTeamContents {
  constructor(private readonly projects: ProjectsService) {
    super();
  }

  writes(teamId: string): readonly Write[] {
    return this.projects.prepare(teamId, FIRST_PROJECT_NAME).writes;
  }
}
