import { Inject, Injectable } from '@nestjs/common';
import type { Trigger } from '../execution-events/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import type { Write } from '../storage/index.js';
import type { TraceContext } from '../trace-context/index.js';
import type { Workflow } from '../workflows/index.js';
import { ExecutionStarts } from './execution-starts.js';
import { StartChecks } from './start-checks.js';

/** A start by a schedule or another trigger of the service. */
export interface TriggeredStart {
  readonly workflow: Workflow;
  readonly trigger: Trigger;
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly deduplicationKey: string | null;
  /** ISO 8601 time before which the execution does not start; null to start immediately. */
  readonly scheduledFor: string | null;
  /** Trace context of the request that caused the start. Absent without a request. */
  readonly trace?: TraceContext | null;
  /** Returns further writes of the commit. A guard that fails refuses the start. */
  readonly sameCommit: (executionId: string) => readonly Write[];
}

/** Starts executions for schedules and other triggers. Access was checked when the trigger was created. */
@Injectable()
export class TriggeredStarts {
  constructor(
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'prepare' | 'write'>,
  ) {}

  /**
   * Starts an execution and returns the committed row.
   *
   * @throws WorkflowNotActiveError; TooManyExecutionsError; KeyHeldError.
   * @throws ValidationError if the input does not match the workflow's schema.
   * @throws any error of a guard in `sameCommit`; then nothing is written
   */
  async start({ sameCommit, trace = null, ...wanted }: TriggeredStart): Promise<Execution> {
    const checked = await this.checks.check(wanted.workflow, wanted.input);
    const prepared = this.starts.prepare({ ...wanted, ...checked, trace, session: null, retryOf: null });
    const { written } = await this.starts.write({ ...prepared, writes: sameCommit(prepared.execution.id) });
    return written;
  }
}
