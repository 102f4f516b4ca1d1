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
   * An execution that the caller may read.
   *
   * @throws ExecutionNotFoundError; ProjectOutOfReachError; ViewTokenScopeError.
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
