import { Injectable } from '@nestjs/common';
import { ProjectDeletions } from '../projects/index.js';
import { ExecutionLookupRepository } from './execution-lookup.repository.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** Cancels the unfinished executions of a deleted project, which no caller can access anymore. */
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
