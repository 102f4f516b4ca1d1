import { Inject, Injectable } from '@nestjs/common';
import type { Trigger } from '../execution-events/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import type { TraceContext } from '../trace-context/index.js';
import type { Workflow } from '../workflows/index.js';
import { ExecutionStarts } from './execution-starts.js';
import { preparedExecution } from './prepared-execution.js';
import { StartChecks } from './start-checks.js';

/** A start by a schedule or another trigger of the service, without a request of a caller. */
export interface TriggeredStart {
  readonly workflow: Workflow;
  readonly trigger: Trigger;
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly deduplicationKey: string | null;
  /** ISO 8601 time before which the execution must not start; null to start immediately. */
  readonly scheduledFor: string | null;
  /** Trace context of the request that caused the start. Null or absent if no request caused the start. */
  readonly trace?: TraceContext | null;
  /**
   * Returns more writes for the commit that starts the execution. If the condition of a write is false, the
   * commit fails and nothing starts.
   */
  readonly sameCommit: (executionId: string) => readonly Write[];
}

/**
 * Starts executions for schedules and other triggers. The starts are not authorized again, because access was checked
 * when the trigger was created.
 */
@Injectable()
export class TriggeredStarts {
  constructor(
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'write'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Starts an execution and returns the execution as committed.
   *
   * @throws WorkflowNotActiveError if the workflow is not active
   * @throws TooManyExecutionsError if the project has the maximum number of unfinished executions
   * @throws KeyHeldError if an unfinished execution has the same deduplication key
   * @throws ValidationError if the input does not match the workflow's schema
   * @throws the error of a write in `sameCommit` whose condition is false; then nothing is written
   */
  async start({ sameCommit, trace = null, ...wanted }: TriggeredStart): Promise<Execution> {
    const checked = await this.checks.check(wanted.workflow, wanted.input);
    const prepared = preparedExecution(
      { ...wanted, ...checked, trace, session: null, retryOf: null },
      this.clock.now(),
    );
    const { written } = await this.starts.write({ ...prepared, writes: sameCommit(prepared.execution.id) });
    return written;
  }
}
