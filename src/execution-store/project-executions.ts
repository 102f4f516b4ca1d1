import { Injectable } from '@nestjs/common';
import { ProjectDeletions } from '../projects/index.js';
import { ExecutionLookupRepository } from './execution-lookup.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/**
 * Registers executions with project deletion: it cancels those of a deleted project, since no caller can see or stop
 * them any more.
 */
@Injectable()
export class ProjectExecutions {
  constructor(
    deletions: ProjectDeletions,
    lookup: ExecutionLookupRepository,
    unfinished: UnfinishedExecutions,
  ) {
    deletions.register({
      countUnfinished: (projectId) => lookup.countUnfinished({ projectId }),
      deletion: (projectId) => unfinished.cancellation('project', projectId, 'The project was deleted.'),
    });
  }
}
