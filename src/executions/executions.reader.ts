import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { JournalRepository } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import { PlanCache } from '../workflows/index.js';
import type { Execution } from './execution.js';
import {
  type ExecutionFilter,
  ExecutionListRepository,
  type ExecutionPage,
} from './execution-list.repository.js';
import { ExecutionRepository } from './execution.repository.js';
import { ExecutionNotFoundError } from './executions.errors.js';
import { type DefinedNode, type NodeExecution, nodeExecutions } from './node-execution.js';

/** Reading executions, and who may. */
@Injectable()
export class ExecutionsReader {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly lists: ExecutionListRepository,
    private readonly journal: JournalRepository,
    private readonly projects: ProjectsService,
    private readonly plans: PlanCache,
  ) {}

  /** @throws ExecutionNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.repository.findWhole(id);
    if (execution === undefined) throw new ExecutionNotFoundError(id);
    await this.projects.reach(principal, execution.projectId);
    return execution;
  }

  /** An execution whoever asks; for callers that decide about access themselves. */
  find(id: string): Promise<Execution | undefined> {
    return this.repository.find(id);
  }

  async list(
    principal: Principal,
    filter: Omit<ExecutionFilter, 'projectIds'> & { readonly projectId?: string },
    page: ExecutionPage,
  ): Promise<{ readonly items: readonly Execution[]; readonly total: number }> {
    const { projectId, ...rest } = filter;
    const projects =
      projectId === undefined
        ? await this.projects.reachable(principal)
        : [await this.projects.reach(principal, projectId)];
    return this.lists.list({ ...rest, projectIds: projects.map(({ id }) => id) }, page);
  }

  /** Every node of an execution, in the order of the definition. */
  async nodes(execution: Execution): Promise<readonly NodeExecution[]> {
    const [events, nodes] = await Promise.all([
      this.journal.whole(execution.id, 0),
      this.definedNodes(execution),
    ]);
    return nodeExecutions(nodes, events, execution.progress.status);
  }

  private async definedNodes(execution: Execution): Promise<readonly DefinedNode[]> {
    const { plan } = await this.plans.of(execution.workflowId, execution.workflowVersion);
    return plan.order.map(({ id, name, type }) => ({
      id,
      type: type.type,
      ...(name === null ? {} : { name }),
    }));
  }
}
