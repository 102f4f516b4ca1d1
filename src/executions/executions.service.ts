import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { EventDataByType, JournalEvent, Json, JsonObject, Trigger } from '../engine/index.js';
import {
  type Answer,
  CLOCK,
  type Clock,
  Idempotency,
  isoTime,
  newId,
  ValidationError,
} from '../platform/index.js';
import { SessionsService } from '../sessions/index.js';
import { PlanCache, type Workflow, WorkflowsService } from '../workflows/index.js';
import { Cancellation } from './cancellation.js';
import { Completion } from './completion.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { type Execution, NOT_STARTED } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { ExecutionsReader } from './executions.reader.js';
import { WorkflowNotActiveError } from './executions.errors.js';

/** What a start may say. */
export interface StartRequest {
  readonly input: Json;
  readonly version?: number;
  readonly sessionId?: string;
  readonly metadata?: JsonObject;
  readonly priority?: number;
  /** ISO 8601; not before then. */
  readonly scheduledFor?: string;
}

/** How long the caller is ready to wait for the end. */
export interface Patience {
  readonly ms: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** Priority where a start names none. */
const DEFAULT_PRIORITY = 5;

/** Starting, reading and cancelling executions, and who may. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly cancellation: Cancellation,
    private readonly reader: ExecutionsReader,
    private readonly workflows: WorkflowsService,
    private readonly sessions: SessionsService,
    private readonly plans: PlanCache,
    private readonly dispatcher: Dispatcher,
    private readonly completion: Completion,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts a workflow. Resolves once the start is durable, or, with patience, when the execution has ended.
   * @param answer the answer to the start, remembered for a repeated request
   * @throws WorkflowNotActiveError; SessionClosedError; ValidationError when the input breaks the workflow's schema.
   */
  async start(
    principal: Principal,
    workflowId: string,
    request: StartRequest,
    patience: Patience | null,
    answer: (execution: Execution) => Answer,
  ): Promise<Execution> {
    const workflow = await this.workflows.read(principal, workflowId);
    if (workflow.status !== 'active') throw new WorkflowNotActiveError(workflow.status);
    const version = request.version ?? workflow.version;
    if (version !== workflow.version) await this.workflows.version(workflow, version);
    const { plan, inputSchema } = await this.plans.of(workflow.id, version);
    const [fault, ...faults] = inputSchema?.validate(request.input) ?? [];
    if (fault !== undefined) throw new ValidationError([fault, ...faults], 'invalid_input');
    if (request.sessionId !== undefined)
      await this.sessions.requireOpen(principal, request.sessionId, workflow.projectId);
    const { execution, events } = this.queued(workflow, version, plan.order.length, request, {
      type: 'api',
      id: principal.keyId ?? principal.userId,
    });
    if (patience === null) {
      await this.write(execution, events, answer);
      return execution;
    }
    const watch = this.completion.watch(execution);
    try {
      await this.write(execution, events, answer);
      return await watch.ended(patience.ms, patience.signal);
    } finally {
      watch.stop();
    }
  }

  /**
   * Ends an execution where it is; what runs of it is aborted. Asking twice is no fault.
   * @throws ExecutionFinishedError when it ended in another way.
   */
  async cancel(principal: Principal, id: string, reason: string | null): Promise<Execution> {
    return this.cancellation.cancel(await this.reader.read(principal, id), reason);
  }

  /** @throws WorkflowNotFoundError; ProjectOutOfReachError. */
  async requireWorkflow(principal: Principal, workflowId: string): Promise<void> {
    await this.workflows.read(principal, workflowId);
  }

  /** @throws SessionNotFoundError; ProjectOutOfReachError. */
  async requireSession(principal: Principal, sessionId: string): Promise<void> {
    await this.sessions.read(principal, sessionId);
  }

  private queued(
    workflow: Workflow,
    version: number,
    nodesTotal: number,
    request: StartRequest,
    trigger: Trigger,
  ): { readonly execution: Execution; readonly events: readonly JournalEvent[] } {
    const now = this.clock.now();
    const metadata = request.metadata ?? {};
    const data: EventDataByType['workflow.queued'] = {
      status: 'queued',
      workflow_version: version,
      input: request.input,
      trigger,
      attempt: 1,
      metadata,
    };
    const events: readonly JournalEvent[] = [
      { type: 'workflow.queued', at: now, nodeId: null, attempt: null, data },
    ];
    const execution: Execution = {
      id: newId(),
      projectId: workflow.projectId,
      workflowId: workflow.id,
      workflowVersion: version,
      sessionId: request.sessionId ?? null,
      trigger,
      input: request.input,
      metadata,
      priority: request.priority ?? DEFAULT_PRIORITY,
      attempt: 1,
      retryOf: null,
      parentId: null,
      createdAt: isoTime(now),
      progress: { ...NOT_STARTED, nodesTotal, runnableAt: request.scheduledFor ?? isoTime(now) },
      lease: { owner: null, epoch: 0 },
    };
    return { execution, events };
  }

  /** Writes a new execution: already held by this process where it has room, else for whoever has. */
  private async write(
    execution: Execution,
    events: readonly JournalEvent[],
    answer: (execution: Execution) => Answer,
  ): Promise<void> {
    const at = Date.parse(execution.progress.runnableAt ?? execution.createdAt);
    const also = [
      ...this.idempotency.claim(answer(execution)),
      ...(execution.sessionId === null
        ? []
        : [this.sessions.touch(execution.sessionId, execution.createdAt)]),
    ];
    const slot = at > this.clock.now() ? null : this.dispatcher.reserve();
    if (slot === null) {
      await this.repository.insert(execution, events, also);
      this.dispatcher.wake(at);
      return;
    }
    const held = {
      ...execution,
      lease: { owner: slot.owner, epoch: 1 },
      progress: { ...execution.progress, runnableAt: null },
    };
    try {
      await this.repository.insert(held, events, also);
    } catch (error) {
      slot.free();
      throw error;
    }
    slot.run(held, events);
  }
}
