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
import { CLOCK, type Clock } from '../platform/index.js';
import { SessionsService } from '../sessions/index.js';
import type { TraceContext } from '../trace-context/index.js';
import { WorkflowHeads, type WorkflowSnapshot } from '../workflows/index.js';
import {
  Deduplication,
  type DeduplicationTerms,
  ExecutionStarts,
  preparedExecution,
  type PreparedExecution,
  StartChecks,
} from '../execution-start/index.js';

export interface StartRequest {
  readonly input: Json;
  readonly version?: number | undefined;
  readonly sessionId?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly priority?: number | undefined;
  /** Earliest time at which the execution starts, in ISO 8601. */
  readonly scheduledFor?: string | undefined;
  readonly deduplication?: DeduplicationTerms | undefined;
  readonly trace?: TraceContext | null;
}

/** Maximum wait of a request for the end of an execution, in milliseconds, and a signal that ends the wait. */
export interface WaitOptions {
  readonly ms: number;
  readonly signal: AbortSignal;
}

export interface StartedExecution {
  readonly execution: Execution;
  readonly isNew: boolean;
}

type Watch = Pick<CompletionWatch, 'ended' | 'stop'>;

const DEFAULT_PRIORITY = 5;

@Injectable()
export class ExecutionsService {
  constructor(
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'write'>,
    @Inject(Deduplication) private readonly deduplication: Pick<Deduplication, 'start'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancelTree'>,
    @Inject(ReachableExecutions) private readonly reachable: Pick<ReachableExecutions, 'read' | 'withValues'>,
    @Inject(WorkflowHeads) private readonly workflows: Pick<WorkflowHeads, 'read' | 'snapshot'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'requireOpen'>,
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(Completion) private readonly completion: { watch(execution: Execution, isNew?: boolean): Watch },
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts a workflow, or returns the unfinished execution that already has the deduplication key. With `waitOptions`,
   * also waits for the end of the execution.
   * @throws WorkflowNotActiveError; SessionClosedError; DuplicateExecutionError.
   * @throws ValidationError if the input violates the workflow's schema.
   */
  async start(
    principal: Principal,
    workflowId: string,
    request: StartRequest,
    waitOptions: WaitOptions | null,
  ): Promise<StartedExecution> {
    const afresh = async (): Promise<StartedExecution> => {
      const workflow = await this.workflows.read(principal, workflowId);
      return this.startOf({ workflow, revision: null }, principal, request, waitOptions);
    };
    // The cached workflow may be outdated, which only the commit detects. A start with a deduplication key
    // may cancel another execution before the commit, so the start reads the workflow from the database.
    if (request.deduplication !== undefined) return afresh();
    const snapshot = await this.workflows.snapshot(principal, workflowId);
    try {
      return await this.startOf(snapshot, principal, request, waitOptions);
    } catch (error) {
      // The error may come from an outdated cached workflow, so the start is repeated with the workflow from the
      // database.
      if (snapshot.revision === null || !(error instanceof ServiceError)) throw error;
      return afresh();
    }
  }

  private async startOf(
    snapshot: WorkflowSnapshot,
    principal: Principal,
    request: StartRequest,
    waitOptions: WaitOptions | null,
  ): Promise<StartedExecution> {
    const prepared = await this.prepared(snapshot, principal, request);
    const { deduplication } = request;
    const write = async (): ReturnType<Deduplication['start']> =>
      deduplication === undefined
        ? { ...(await this.starts.write(prepared)), isNew: true }
        : this.deduplication.start(prepared, deduplication);
    if (waitOptions === null) {
      const { execution, isNew } = await write();
      return { execution, isNew };
    }
    const watch = this.completion.watch(prepared.execution, true);
    try {
      const { execution, written, isNew } = await write();
      if (!isNew) return { execution: await this.ended(execution, waitOptions), isNew };
      return {
        execution: hasEnded(written)
          ? await this.reachable.withValues(written)
          : await watch.ended(waitOptions.ms, waitOptions.signal),
        isNew,
      };
    } finally {
      watch.stop();
    }
  }

  private async prepared(
    { workflow, revision }: WorkflowSnapshot,
    principal: Principal,
    request: StartRequest,
  ): Promise<PreparedExecution> {
    const checked = await this.checks.check(workflow, request.input, request.version);
    const session =
      request.sessionId === undefined
        ? null
        : await this.sessions.requireOpen(principal, request.sessionId, workflow.projectId);
    return preparedExecution(
      {
        ...checked,
        session,
        trigger: { type: 'api', id: principal.keyId ?? principal.userId, user_id: principal.userId },
        metadata: request.metadata ?? {},
        priority: request.priority ?? DEFAULT_PRIORITY,
        deduplicationKey: request.deduplication?.key ?? null,
        scheduledFor: request.scheduledFor ?? null,
        retryOf: null,
        trace: request.trace ?? null,
      },
      this.clock.now(),
      revision,
    );
  }

  /**
   * Cancels an execution and aborts its running nodes. Its descendants are cancelled in the background. Has no effect
   * on a cancelled execution.
   * @throws ExecutionFinishedError if the execution completed, failed or timed out.
   */
  async cancel(principal: Principal, id: string, reason: string | null): Promise<Execution> {
    return this.cancellation.cancelTree(await this.reachable.read(principal, id), reason);
  }

  private async ended(execution: Execution, { ms, signal }: WaitOptions): Promise<Execution> {
    const watch = this.completion.watch(execution);
    try {
      return await watch.ended(ms, signal);
    } finally {
      watch.stop();
    }
  }
}
