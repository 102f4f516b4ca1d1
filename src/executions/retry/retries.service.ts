import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { hasFailedNode, type Plan, reusedEvents } from '../../engine/index.js';
import { LongValue } from '../../long-values/index.js';
import { type JournalEvent } from '../../execution-events/index.js';
import type { Json } from '../../expressions/index.js';
import { JournalRepository, PayloadGoneError, PayloadRepository } from '../../journal/index.js';
import { CLOCK, type Clock } from '../../platform/index.js';
import { ValidationError } from '../../errors/index.js';
import { SessionsService } from '../../sessions/index.js';
import { executionTrace, type TraceContext } from '../../trace-context/index.js';
import { PlanCache, type Workflow, WorkflowsService } from '../../workflows/index.js';
import {
  type Execution,
  hasEnded,
  ExecutionChangedError,
  ExecutionNotFoundError,
  KeyHeldError,
  ExecutionLookupRepository,
} from '../../execution-store/index.js';
import {
  DuplicateExecutionError,
  ExecutionStarts,
  preparedExecution,
  type PreparedExecution,
  WorkflowNotActiveError,
} from '../../execution-start/index.js';
import { ExecutionNotFinishedError, NothingFailedError } from './retries.errors.js';
import type { RetryVersion } from './retry.dto.js';

export interface RetryRequest {
  /**
   * Where the retry starts. `failed`: run all nodes that have not completed. `start`: run all nodes. Id of a node: run
   * this node and all nodes that depend on it.
   */
  readonly from: string;
  readonly version: RetryVersion;
  /** Input of the retry. Default: the input of the retried execution. */
  readonly input?: Json;
  /** Trace context of the caller. Default: the trace context of the retried execution. */
  readonly trace?: TraceContext | null;
}

/** Retries executions that have ended. A retry is a new execution, which reuses the results of completed nodes. */
@Injectable()
export class RetriesService {
  constructor(
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'write'>,
    @Inject(ExecutionLookupRepository) private readonly lookup: Pick<ExecutionLookupRepository, 'findByKey'>,
    @Inject(JournalRepository) private readonly journal: Pick<JournalRepository, 'whole'>,
    @Inject(PayloadRepository) private readonly payloads: Pick<PayloadRepository, 'text'>,
    @Inject(WorkflowsService) private readonly workflows: Pick<WorkflowsService, 'read' | 'version'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'requireOpen'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates an execution that retries the execution `source`.
   * @param source the execution to retry, with its long input loaded
   * @throws ExecutionNotFoundError; ExecutionNotFinishedError; NothingFailedError; WorkflowNotActiveError;
   *   WorkflowVersionNotFoundError; SessionClosedError.
   * @throws DuplicateExecutionError if another unfinished execution has the deduplication key.
   * @throws ValidationError if `from` is not a node, or the input violates the workflow's schema.
   */
  async retry(principal: Principal, source: Execution, request: RetryRequest): Promise<Execution> {
    if (!hasEnded(source)) throw new ExecutionNotFinishedError(source.progress.status);
    const workflow = await this.workflows.read(principal, source.workflowId);
    if (workflow.status !== 'active') throw new WorkflowNotActiveError(workflow.status);
    const prepared = await this.prepare(principal, source, workflow, request);
    try {
      return (await this.starts.write(prepared)).execution;
    } catch (error) {
      if (error instanceof PayloadGoneError) throw new ExecutionNotFoundError(source.id);
      if (!(error instanceof KeyHeldError)) throw error;
      const holder = await this.lookup.findByKey(source.workflowId, source.deduplicationKey ?? '');
      throw holder === undefined ? new ExecutionChangedError() : new DuplicateExecutionError(holder.id);
    }
  }

  private async prepare(
    principal: Principal,
    source: Execution,
    workflow: Workflow,
    request: RetryRequest,
  ): Promise<PreparedExecution> {
    const version = await this.versionOf(source, workflow, request);
    const compiled = await this.plans.of(workflow.id, version);
    const input = request.input === undefined ? await this.inputOf(source) : request.input;
    if (request.input !== undefined && request.from !== 'start')
      throw ValidationError.of(
        'input',
        'only_from_start',
        'is allowed only with "from": "start", because reused results depend on the previous input',
      );
    const [fault, ...faults] = compiled.inputSchema?.validate(input) ?? [];
    if (fault !== undefined) throw new ValidationError([fault, ...faults], 'invalid_input');
    const session =
      source.sessionId === null
        ? null
        : await this.sessions.requireOpen(principal, source.sessionId, workflow.projectId);
    const prepared = preparedExecution(
      {
        workflow,
        version,
        compiled,
        session,
        trigger: { type: 'retry', id: source.id, user_id: principal.userId },
        input,
        metadata: source.metadata,
        priority: source.priority,
        deduplicationKey: source.deduplicationKey,
        scheduledFor: null,
        retryOf: source,
        trace: request.trace ?? executionTrace(source),
      },
      this.clock.now(),
    );
    const reused = await this.reused(source, workflow, { plan: compiled.plan, version }, request.from);
    const nodesCompleted = reused.filter(({ type }) => type !== 'workflow.node.started').length;
    const events = [...prepared.events, ...reused];
    const progress = { ...prepared.execution.progress, nodesCompleted, lastSequence: events.length };
    return { ...prepared, execution: { ...prepared.execution, progress }, events };
  }

  private async versionOf(source: Execution, workflow: Workflow, { version }: RetryRequest): Promise<number> {
    if (version === 'same') return source.workflowVersion;
    if (version === 'latest') return workflow.version;
    return (await this.workflows.version(workflow, version)).version;
  }

  private async reused(
    source: Execution,
    workflow: Workflow,
    { plan, version }: { readonly plan: Plan; readonly version: number },
    from: string,
  ): Promise<readonly JournalEvent[]> {
    if (from === 'start') return [];
    if (from !== 'failed' && !plan.nodes.has(from))
      throw ValidationError.of(
        'from',
        'unknown_node',
        `must be "failed", "start" or the id of a node; version ${version} has no node "${from}"`,
      );
    const events = await this.journal.whole(source.id, 0);
    // Too few events mean that retention has just deleted the journal. A retry without the journal would run completed
    // nodes again.
    if (events.length < source.progress.lastSequence) throw new ExecutionNotFoundError(source.id);
    if (from === 'failed' && source.progress.status === 'completed' && !hasFailedNode(events))
      throw new NothingFailedError();
    return reusedEvents({
      events,
      executionId: source.id,
      plan,
      isSame: await this.sameNodes(source, workflow, version),
      reset: from === 'failed' ? [] : [from],
      now: this.clock.now(),
    });
  }

  private async inputOf({ id, input }: Execution): Promise<Json> {
    if (!(input instanceof LongValue)) return input;
    const text = await this.payloads.text(id, 1, 'input');
    if (text === undefined) throw new ExecutionNotFoundError(id);
    return JSON.parse(text) as Json;
  }

  /**
   * Returns a function that tells by id whether a node is the same in the retried version and in the new
   * version of the workflow. Differences in retry policy, timeout and name are ignored.
   */
  private async sameNodes(
    source: Execution,
    workflow: Workflow,
    version: number,
  ): Promise<(nodeId: string) => boolean> {
    if (version === source.workflowVersion) return () => true;
    const texts = async (of: number): Promise<ReadonlyMap<string, string>> => {
      const { definition } = await this.workflows.version(workflow, of);
      return new Map(
        definition.nodes.map(({ id, type, needs, if: condition, with: parameters }) => [
          id,
          JSON.stringify([type, needs, condition, parameters]),
        ]),
      );
    };
    const [before, after] = await Promise.all([texts(source.workflowVersion), texts(version)]);
    return (nodeId) => before.get(nodeId) === after.get(nodeId);
  }
}
