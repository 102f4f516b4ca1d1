import { ChildExecutionsPort, type ChildExecutions } from '../execution-runner/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { type ChildRequest, NodeFailure } from '../node-contract/index.js';
import { CLOCK, type Clock, isId } from '../platform/index.js';
import { PlanCache, type Workflow, WorkflowsService } from '../workflows/index.js';
import { AdmissionRepository } from '../admission/index.js';
import { ExecutionRepository, type NewExecution, type Execution } from '../execution-store/index.js';
import { ExecutionLimits } from './limits/execution-limits.js';
import { preparedExecution, type PreparedExecution } from './prepared-execution.js';
import { attemptTrace, type TracedAttempt } from '../trace-context/index.js';

/** Maximum number of ancestors of an execution. The limit stops workflows that start themselves recursively. */
export const MAX_DEPTH = 10;

@Injectable()
export class ChildStarter implements ChildExecutions {
  constructor(
    @Inject(WorkflowsService) private readonly workflows: Pick<WorkflowsService, 'find'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of'>,
    @Inject(AdmissionRepository) private readonly places: Pick<AdmissionRepository, 'entering'>,
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'find'>,
    @Inject(ExecutionLimits) private readonly limits: Pick<ExecutionLimits, 'admitChild'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ChildExecutionsPort) port: Pick<ChildExecutionsPort, 'connect'>,
  ) {
    port.connect(this);
  }

  /**
   * Prepares a child execution for the commit of its parent, and writes nothing.
   *
   * @throws NodeFailure `child_depth_exceeded`, `workflow_not_found`, `workflow_not_active`,
   * `workflow_version_not_found`, `invalid_input`, `too_many_descendants` or `too_many_executions`.
   */
  async prepare(
    parent: Execution,
    { workflowId, version, input }: ChildRequest,
    attempted: TracedAttempt,
  ): Promise<NewExecution> {
    if (parent.depth >= MAX_DEPTH)
      throw refused(
        'child_depth_exceeded',
        `The execution has ${MAX_DEPTH} ancestors, so it cannot start a child.`,
      );
    const workflow = await this.workflow(parent, workflowId);
    const wanted = version ?? workflow.version;
    if (wanted > workflow.version)
      throw refused('workflow_version_not_found', `The workflow ${workflow.id} has no version ${wanted}.`);
    const compiled = await this.plans.of(workflow.id, wanted);
    const faults = compiled.inputSchema?.validate(input) ?? [];
    if (faults.length > 0)
      throw refused(
        'invalid_input',
        `The child's ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
        faults.map(({ path, code, message }) => ({ field: path, code, reason: message })),
      );
    const prepared = preparedExecution(
      {
        workflow,
        version: wanted,
        compiled,
        session: parent.sessionId === null ? null : { id: parent.sessionId, concurrency: 'parallel' },
        trigger: { type: 'parent', id: parent.id },
        input,
        metadata: {},
        priority: parent.priority,
        deduplicationKey: null,
        scheduledFor: null,
        retryOf: null,
        trace: attemptTrace(parent, attempted),
        parent,
      },
      this.clock.now(),
    );
    const child = await this.queuedIfLimited(prepared, parent);
    return { ...child, settled: await this.limits.admitChild(parent) };
  }

  /**
   * Queues a child if its workflow has `max_running`. If an ancestor runs the same workflow, the child skips the queue.
   * A queued child and its ancestor could otherwise wait for each other forever.
   */
  private async queuedIfLimited(
    { execution, events, gates }: PreparedExecution,
    parent: Execution,
  ): Promise<NewExecution> {
    if (gates.workflowId === null || (await this.hasWorkflowInAncestry(parent, gates.workflowId)))
      return { execution, events, also: [] };
    const { id: executionId, priority, createdAt: dueAt } = execution;
    const progress = { ...execution.progress, statusReason: 'max_running', runnableAt: null };
    const place = this.places.entering({ executionId, ...gates, priority, dueAt, slot: null });
    return { execution: { ...execution, admission: 'parked', progress }, events, also: [place] };
  }

  /** Whether an execution or one of its ancestors runs a workflow. */
  private async hasWorkflowInAncestry(execution: Execution, workflowId: string): Promise<boolean> {
    let current: Execution | undefined = execution;
    while (current !== undefined) {
      if (current.workflowId === workflowId) return true;
      current = current.parentId === null ? undefined : await this.executions.find(current.parentId);
    }
    return false;
  }

  /**
   * Returns an active workflow of the parent's project.
   *
   * @throws NodeFailure `workflow_not_found` or `workflow_not_active`
   */
  private async workflow({ projectId }: Execution, id: string): Promise<Workflow> {
    const workflow = isId(id) ? await this.workflows.find(id.toLowerCase()) : undefined;
    if (workflow?.projectId !== projectId)
      throw refused('workflow_not_found', `The workflow ${id} does not exist in this project.`);
    if (workflow.status !== 'active')
      throw new NodeFailure(
        'workflow_not_active',
        `The workflow ${workflow.id} is ${workflow.status}. Only active workflows can be started.`,
      );
    return workflow;
  }
}

function refused(
  code: string,
  message: string,
  errors?: readonly { readonly field: string; readonly code: string; readonly reason: string }[],
): NodeFailure {
  return new NodeFailure(code, message, {
    retryable: false,
    ...(errors === undefined ? {} : { details: { errors } }),
  });
}
