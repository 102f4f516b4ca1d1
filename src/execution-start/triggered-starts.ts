import { Inject, Injectable } from '@nestjs/common';
import type { Trigger } from '../execution-events/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import type { Write } from '../storage/index.js';
import type { TraceContext } from '../trace-context/index.js';
import type { Workflow } from '../workflows/index.js';
import { ExecutionStarts } from './execution-starts.js';
import { StartChecks } from './start-checks.js';

/** A start that no caller of the API asked for, such as one of a schedule. */
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
  /** Further writes of the commit, made for the id of the new execution; their guards decide about the start. */
  readonly sameCommit: (executionId: string) => readonly Write[];
}

/** Starts executions for the service's own triggers. Access was decided when the trigger was made. */
@Injectable()
export class TriggeredStarts {
  constructor(
    @Inject(StartChecks) private readonly checks: Pick<StartChecks, 'check'>,
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'prepare' | 'write'>,
  ) {}

  /**
   * Resolves once the execution is durable, with the execution as it was committed.
   * @throws WorkflowNotActiveError; TooManyExecutionsError; KeyHeldError.
   * @throws ValidationError when the input breaks the workflow's schema.
   * @throws what a guard of `sameCommit` throws; then nothing was written
   */
  async start({ sameCommit, trace = null, ...wanted }: TriggeredStart): Promise<Execution> {
    const checked = await this.checks.check(wanted.workflow, wanted.input);
    const prepared = this.starts.prepare({ ...wanted, ...checked, trace, session: null, retryOf: null });
    const { written } = await this.starts.write({ ...prepared, writes: sameCommit(prepared.execution.id) });
    return written;
  }
}
