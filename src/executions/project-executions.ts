import { Injectable } from '@nestjs/common';
import { ProjectDeletions } from '../projects/index.js';
import { UnfinishedExecutions } from './unfinished-executions.js';

/** What becomes of executions whose project is gone: nobody could see or stop them any more, so they end. */
@Injectable()
export class ProjectExecutions {
  constructor(deletions: ProjectDeletions, unfinished: UnfinishedExecutions) {
    deletions.listen((projectId) => unfinished.cancel({ projectId }, 'The project was deleted.'));
  }
}
