import { ExecutionLimits } from './limits/execution-limits.js';
import { type BegunRun, Dispatcher, RunLoop } from '../execution-runner/index.js';
import { JournalFullError } from '../journal/index.js';
import { Inject, Injectable } from '@nestjs/common';
import { Idempotency } from '../idempotency/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { SessionsService } from '../sessions/index.js';
import { WorkflowHeads } from '../workflows/index.js';
import { Admission } from './admission.js';
import { leaving, SlotTakenError } from '../admission/index.js';
import { type Execution, executionAfter, hasEnded, ExecutionRepository } from '../execution-store/index.js';
import type { PreparedExecution } from './prepared-execution.js';

export interface WrittenExecution {
  /** The execution that the response to the start request contains. */
  readonly execution: Execution;
  /** The execution as it was committed. The same commit may already have started or ended the execution. */
  readonly written: Execution;
}

/**
 * Maximum number of attempts to take a free slot under `max_running`. After the last attempt, the execution is queued.
 */
const MAX_SLOT_ATTEMPTS = 3;

/**
 * Writes new executions. If this process has a free slot, one commit contains the start and the first events of the
 * execution. Otherwise the execution is queued, and any process may claim it.
 */
@Injectable()
export class ExecutionStarts {
  constructor(
    @Inject(ExecutionRepository) private readonly repository: Pick<ExecutionRepository, 'insert'>,
    @Inject(SessionsService) private readonly sessions: Pick<SessionsService, 'touch'>,
    @Inject(WorkflowHeads) private readonly workflows: Pick<WorkflowHeads, 'unchanged'>,
    @Inject(Admission) private readonly admission: Pick<Admission, 'enter' | 'entered'>,
    @Inject(Dispatcher) private readonly dispatcher: Pick<Dispatcher, 'reserve' | 'wake'>,
    @Inject(RunLoop) private readonly runLoop: Pick<RunLoop, 'begin'>,
    @Inject(Idempotency) private readonly idempotency: Pick<Idempotency, 'claim'>,
    @Inject(ExecutionLimits) private readonly limits: Pick<ExecutionLimits, 'admit' | 'settle'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Commits a new execution.
   *
   * @param isReplacement true if the start cancelled another execution; the limit of unfinished executions is then not
   * checked
   * @throws KeyHeldError if an unfinished execution has the same deduplication key
   * @throws SessionClosedError if the session of the execution is closed
   * @throws WorkflowChangedError if the workflow changed after the caller read it
   * @throws TooManyExecutionsError if the project has the maximum number of unfinished executions
   */
  async write(prepared: PreparedExecution, isReplacement = false): Promise<WrittenExecution> {
    if (isReplacement) return this.admitAndInsert(prepared);
    const { projectId } = prepared.execution;
    const limit = this.limits.admit(projectId);
    if (limit !== undefined) await limit;
    try {
      return await this.admitAndInsert(prepared);
    } finally {
      this.limits.settle(projectId);
    }
  }

  private async admitAndInsert(prepared: PreparedExecution): Promise<WrittenExecution> {
    const { execution, gates } = prepared;
    if (gates.workflowId === null && gates.sessionId === null) return this.insert(prepared, execution, []);
    const dueAt = execution.progress.runnableAt ?? execution.createdAt;
    for (let attempt = 1; ; attempt += 1) {
      const place = await this.admission.enter(execution, gates, dueAt, attempt > MAX_SLOT_ATTEMPTS);
      try {
        if (place.isAdmitted)
          return await this.insert(prepared, { ...execution, admission: 'admitted' }, [place.write]);
        const progress = { ...execution.progress, statusReason: place.parked, runnableAt: null };
        const parked: Execution = { ...execution, admission: 'parked', progress };
        await this.repository.insert(parked, prepared.events, this.sameCommit(prepared, [place.write]));
        this.admission.entered(gates, dueAt);
        return { execution: parked, written: parked };
      } catch (error) {
        if (!(error instanceof SlotTakenError)) throw error;
      }
    }
  }

  private async insert(
    prepared: PreparedExecution,
    execution: Execution,
    admission: readonly Write[],
  ): Promise<WrittenExecution> {
    const at = Date.parse(execution.progress.runnableAt ?? execution.createdAt);
    // The unique index of deduplication keys contains only unfinished executions. An execution that ends in its first
    // commit would bypass the index. So an execution with a key is first committed as queued.
    const mustWait = at > this.clock.now() || execution.deduplicationKey !== null;
    const slot = mustWait ? null : this.dispatcher.reserve();
    if (slot === null) {
      await this.repository.insert(execution, prepared.events, this.sameCommit(prepared, admission));
      this.dispatcher.wake(at);
      return { execution, written: execution };
    }
    const leased: Execution = {
      ...execution,
      lease: { owner: slot.owner, epoch: 1 },
      progress: { ...execution.progress, runnableAt: null },
    };
    let begun: BegunRun | undefined;
    let written: Execution;
    try {
      begun = await this.runLoop.begin(leased, prepared.events, prepared.compiled);
      written = await this.insertBegun(prepared, leased, begun, admission);
    } catch (error) {
      begun?.discard();
      slot.free();
      throw error;
    }
    const run = begun.go(written);
    if (run === null) slot.free();
    else slot.occupy(run);
    return { execution, written };
  }

  /**
   * Commits a new execution, together with the events that its run has produced in memory. If the events are too large
   * for one execution, commits its failure instead.
   */
  private async insertBegun(
    prepared: PreparedExecution,
    leased: Execution,
    begun: BegunRun,
    admission: readonly Write[],
  ): Promise<Execution> {
    const insert = async (decided: BegunRun['decided'], maxBytes: number): Promise<Execution> => {
      const after = executionAfter(leased, decided);
      const leavingSlot = after.admission !== null && hasEnded(after) ? [leaving(after.id)] : [];
      const writes = [...this.sameCommit(prepared, admission), ...leavingSlot];
      const bytes = await this.repository.insert(after, [...prepared.events, ...decided], writes, maxBytes);
      // Only a run that continues needs the size of its events.
      return hasEnded(after) ? after : { ...after, bytes };
    };
    try {
      return await insert(begun.decided, begun.maxBytes);
    } catch (error) {
      if (!(error instanceof JournalFullError)) throw error;
      return insert(begun.endTooLarge(error.bytes), Infinity);
    }
  }

  private sameCommit(
    { execution, revision, writes = [] }: PreparedExecution,
    admission: readonly Write[],
  ): readonly Write[] {
    const { id, sessionId, workflowId, createdAt } = execution;
    return [
      ...this.idempotency.claim(id),
      ...(sessionId === null ? [] : [this.sessions.touch(sessionId, createdAt)]),
      ...(revision === null ? [] : [this.workflows.unchanged(workflowId, revision)]),
      ...admission,
      ...writes,
    ];
  }
}
