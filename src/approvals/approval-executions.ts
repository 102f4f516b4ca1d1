import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { JournalEvent, Trigger } from '../execution-events/index.js';
import type { JsonObject } from '../expressions/index.js';
import { JournalRepository } from '../journal/index.js';
import { ProjectsService } from '../projects/index.js';
import type { Write } from '../storage/index.js';
import { UsersService } from '../users/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { type Execution, ExecutionRepository, ExecutionNotFoundError } from '../execution-store/index.js';

@Injectable()
export class ApprovalExecutions {
  constructor(
    private readonly executions: ExecutionRepository,
    private readonly journal: JournalRepository,
    private readonly projects: ProjectsService,
    private readonly users: UsersService,
    private readonly workflows: WorkflowsService,
  ) {}

  journalOf(executionId: string, afterSequence = 0): Promise<readonly JournalEvent[]> {
    return this.journal.whole(executionId, afterSequence);
  }

  /** The commit fails with ExecutionChangedError if the execution has events after the sequence. */
  unchanged(executionId: string, sequence: number): Write {
    return this.executions.unchanged(executionId, sequence);
  }

  /** @throws ExecutionNotFoundError; ProjectOutOfReachError. */
  async reach(principal: Principal, executionId: string): Promise<Execution> {
    const execution = await this.find(executionId);
    await this.projects.reach(principal, execution.projectId);
    return execution;
  }

  /**
   * @throws ExecutionNotFoundError if the execution or its project was deleted.
   */
  async teamAndProjectOf(
    executionId: string,
  ): Promise<{ readonly teamId: string; readonly projectId: string }> {
    const { projectId } = await this.find(executionId);
    const project = await this.projects.find(projectId);
    if (project === null) throw new ExecutionNotFoundError(executionId);
    return { teamId: project.teamId, projectId };
  }

  /**
   * Returns the person who started an execution, according to its first event, and the name of its workflow. The person
   * is null if no person started the execution.
   */
  async requestOf(
    executionId: string,
    [first]: readonly JournalEvent[],
  ): Promise<{ readonly by: string | null; readonly workflow: string }> {
    const { workflowId } = await this.find(executionId);
    const starter = (first?.data as { readonly trigger?: Trigger } | undefined)?.trigger?.user_id;
    const user = starter === undefined ? null : await this.users.find(starter);
    const by = user === null ? null : user.name === '' ? user.email : user.name;
    return { by, workflow: (await this.workflows.nameOf(workflowId)) ?? workflowId };
  }

  /** Describes the person who decides an approval, in the form that the output of the approval contains. */
  async personOf({ userId }: Principal): Promise<JsonObject> {
    const user = await this.users.find(userId);
    return { user_id: userId, name: user?.name ?? null, email: user?.email ?? null };
  }

  private async find(id: string): Promise<Execution> {
    const execution = await this.executions.find(id);
    if (execution === undefined) throw new ExecutionNotFoundError(id);
    return execution;
  }
}
