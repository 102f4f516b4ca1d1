import { Injectable } from '@nestjs/common';
import { ProjectDeletions } from '../projects/index.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** Registers executions as contents of projects: nobody can see or stop those of a deleted project, so they end. */
@Injectable()
export class ProjectExecutions {
  constructor(deletions: ProjectDeletions, lists: ExecutionListRepository, unfinished: UnfinishedExecutions) {
    deletions.register({
      countUnfinished: (projectId) => lists.countUnfinished({ projectId }),
      deletion: (projectId) => unfinished.cancellation('project', projectId, 'The project was deleted.'),
    });
  }
}
