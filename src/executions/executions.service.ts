import {
  ReachableExecutions,
  Cancellation,
  Completion,
  type CompletionWatch,
  type Execution,
  hasEnded,
} from '../execution-store/index.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { ServiceError } from '../errors/index.js';
import { SessionsService } from '../sessions/index.js';
import type { TraceContext } from '../trace-context/index.js';
import { type Standing, type Workflow, WorkflowsService } from '../workflows/index.js';
import {
  Deduplication,
  type DeduplicationTerms,
  ExecutionStarts,
  type PreparedExecution,
  StartChecks,
} from '../execution-start/index.js';

/** What a start may say. */
export interface StartRequest {
  readonly input: Json;
  readonly version?: number;
  readonly sessionId?: string;
  readonly metadata?: JsonObject;
  readonly priority?: number;
  /** ISO 8601; not before then. */
  readonly scheduledFor?: string;
  readonly deduplication?: DeduplicationTerms;
  /** The trace of the caller, where it sent one. */
  readonly trace?: TraceContext | null;
}

/** How long the caller is ready to wait for the end. */
export interface Patience {
  readonly ms: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** An execution, and whether it was made just now. */
export interface StartedExecution {
  readonly execution: Execution;
  readonly isNew: boolean;
}

type Watch = Pick<CompletionWatch, 'ended' | 'stop'>;

/** Priority where a start names none. */
const DEFAULT_PRIORITY = 5;

/** Starting and cancelling executions, and who may. */
@Injectable()
export class ExecutionsService {
  constructor(
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'prepare'>,
    @Inject(Deduplication) private readonly deduplication: Pick<Deduplication, 'start'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancelTree'>,
    @Inject(ReachableExecutions) private readonly reachable: Pick<ReachableExecutions, 'read' | 'withValues'>,
    @Inject(WorkflowsService)
    private readonly workflows: Pick<WorkflowsService, 'read' | 'standing'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'read' | 'requireOpen'>,
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(Completion) private readonly completion: { watch(execution: Execution): Watch },
  ) {}

  /**
   * Starts a workflow, or finds the execution that its deduplication key leads to. Resolves once that is durable, or,
   * with patience, when the execution has ended.
   * @throws WorkflowNotActiveError; SessionClosedError; DuplicateExecutionError.
   * @throws ValidationError when the input breaks the workflow's schema.
   */
  async start(
    principal: Principal,
    workflowId: string,
    request: StartRequest,
    patience: Patience | null,
  ): Promise<StartedExecution> {
    const afresh = async (): Promise<StartedExecution> => {
      const workflow = await this.workflows.read(principal, workflowId);
      return this.startOf({ workflow, revision: null }, principal, request, patience);
    };
    // Another execution may be cancelled to make room, before any commit could find out that the workflow has changed.
    if (request.deduplication !== undefined) return afresh();
    const standing = await this.workflows.standing(principal, workflowId);
    try {
      return await this.startOf(standing, principal, request, patience);
    } catch (error) {
      // What is remembered of the workflow may be out of date, and with it the refusal.
      if (standing.revision === null || !(error instanceof ServiceError)) throw error;
      return afresh();
    }
  }

  private async startOf(
    { workflow, revision }: Standing,
    principal: Principal,
    request: StartRequest,
    patience: Patience | null,
  ): Promise<StartedExecution> {
    const prepared = { ...(await this.prepared(workflow, principal, request)), revision };
    const write = (): ReturnType<Deduplication['start']> =>
      this.deduplication.start(prepared, request.deduplication ?? null);
    if (patience === null) {
      const { execution, isNew } = await write();
      return { execution, isNew };
    }
    const watch = this.completion.watch(prepared.execution);
    try {
      const { execution, written, isNew } = await write();
      if (!isNew) return { execution: await this.ended(execution, patience), isNew };
      return {
        execution: hasEnded(written)
          ? await this.reachable.withValues(written)
          : await watch.ended(patience.ms, patience.signal),
        isNew,
      };
    } finally {
      watch.stop();
    }
  }

  private async prepared(
    workflow: Workflow,
    principal: Principal,
    request: StartRequest,
  ): Promise<PreparedExecution> {
    const checked = await this.checks.check(workflow, request.input, request.version);
    const session =
      request.sessionId === undefined
        ? null
        : await this.sessions.requireOpen(principal, request.sessionId, workflow.projectId);
    return this.starts.prepare({
      ...checked,
      session,
      trigger: { type: 'api', id: principal.keyId ?? principal.userId, user_id: principal.userId },
      metadata: request.metadata ?? {},
      priority: request.priority ?? DEFAULT_PRIORITY,
      deduplicationKey: request.deduplication?.key ?? null,
      scheduledFor: request.scheduledFor ?? null,
      retryOf: null,
      trace: request.trace ?? null,
    });
  }

  /**
   * Ends an execution where it is; what runs of it is aborted. No descendant starts from then on; those that are there
   * end in the background. Asking twice is no fault.
   * @throws ExecutionFinishedError when it ended in another way.
   */
  async cancel(principal: Principal, id: string, reason: string | null): Promise<Execution> {
    return this.cancellation.cancelTree(await this.reachable.read(principal, id), reason);
  }

  /** @throws WorkflowNotFoundError; ProjectOutOfReachError. */
  async requireWorkflow(principal: Principal, workflowId: string): Promise<void> {
    await this.workflows.read(principal, workflowId);
  }

  /** @throws SessionNotFoundError; ProjectOutOfReachError. */
  async requireSession(principal: Principal, sessionId: string): Promise<void> {
    await this.sessions.read(principal, sessionId);
  }

  private async ended(execution: Execution, { ms, signal }: Patience): Promise<Execution> {
    const watch = this.completion.watch(execution);
    try {
      return await watch.ended(ms, signal);
    } finally {
      watch.stop();
    }
  }
}
