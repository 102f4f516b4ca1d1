import { Inject, Injectable } from '@nestjs/common';
import type { Trigger } from '../execution-events/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import type { Write } from '../storage/index.js';
import type { TraceContext } from '../trace-context/index.js';
import type { Workflow } from '../workflows/index.js';
import { ExecutionStarts } from './execution-starts.js';
import { StartChecks } from './start-checks.js';

/** A start that is not requested through the API, such as one of a schedule. */
export interface TriggeredStart {
  readonly workflow: Workflow;
  readonly trigger: Trigger;
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly priority: number;
  /** Unique among the workflow's unfinished executions; null for none. */
  readonly deduplicationKey: string | null;
  /** ISO 8601; null for none. */
  readonly scheduledFor: string | null;
  /** Of the request that triggered it, as `traceOfRequest` reads it; left out without a request. */
  readonly trace?: TraceContext | null;
  /**
   * Additional writes of the commit, given the id of the new execution; a failing guard among them refuses the start.
   */
  readonly sameCommit: (executionId: string) => readonly Write[];
}

/** Starts executions for the service's own triggers. Access was checked when the trigger was created. */
@Injectable()
export class TriggeredStarts {
  constructor(
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'prepare' | 'write'>,
  ) {}

  /**
   * Resolves once the execution is durable, with the execution as committed.
   * @throws WorkflowNotActiveError; TooManyExecutionsError; KeyHeldError.
   * @throws ValidationError when the input does not match the workflow's schema.
   * @throws any error of a guard in `sameCommit`; then nothing is written
   */
  async start({ sameCommit, trace = null, ...wanted }: TriggeredStart): Promise<Execution> {
    const checked = await this.checks.check(wanted.workflow, wanted.input);
    const prepared = this.starts.prepare({ ...wanted, ...checked, trace, session: null, retryOf: null });
    const { written } = await this.starts.write({ ...prepared, writes: sameCommit(prepared.execution.id) });
    return written;
  }
}
