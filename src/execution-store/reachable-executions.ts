import { Injectable } from '@nestjs/common';
import { type Principal, requireView } from '../access/index.js';
import { ProjectsService } from '../projects/index.js';
import type { Execution } from './execution.js';
import { ExecutionNotFoundError } from './execution.errors.js';
import { ExecutionRepository } from './execution.repository.js';

@Injectable()
export class ReachableExecutions {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Returns an execution that the caller may read.
   *
   * @throws ExecutionNotFoundError if the execution does not exist
   * @throws ProjectOutOfReachError if the caller has no access to the project
   * @throws ViewTokenScopeError if the caller's view token is for another execution or session
   */
  async read(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.repository.findWhole(id);
    if (execution === undefined) throw new ExecutionNotFoundError(id);
    requireView(principal, { executionId: id, sessionId: execution.sessionId });
    await this.projects.reach(principal, execution.projectId);
    return execution;
  }

  find(id: string): Promise<Execution | undefined> {
    return this.repository.find(id);
  }

  withValues(execution: Execution): Promise<Execution> {
    return this.repository.withValues(execution);
  }
}
