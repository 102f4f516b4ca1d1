import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import type { SandboxFailureReason } from '../sandbox/sandbox-answer.js';
import type { SandboxJob } from '../sandbox/sandbox-process.js';
import { ConsoleLines } from './console-lines.ts';
import { PRELUDE } from './quickjs-prelude.ts';

const MEMORY_MIB = 64;
const MEMORY_BYTES = MEMORY_MIB * 1024 * 1024;
const STACK_BYTES = 256 * 1024;

/** Maximum length of an output, in characters of JSON. The outputs of all node types have the same limit. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Number of promise jobs that QuickJS runs between two checks of the deadline. */
const JOBS_PER_ROUND = 100;

/** Messages of the errors that QuickJS throws at its memory limit, and for a string that exceeds the maximum length. */
const MEMORY_ERRORS = /^InternalError: (out of memory|string too long)/;

class JobFailure extends Error {
  readonly reason: SandboxFailureReason;
  readonly line: number | null;

  constructor(reason: SandboxFailureReason, message: string, line: number | null = null) {
    super(message);
    this.reason = reason;
    this.line = line;
  }
}

/** Runs one job in a new interpreter. The interpreter is discarded after the job. */
export class QuickJsJob {
  private readonly job: SandboxJob;
  private readonly memoryBytes: () => number;
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly console = new ConsoleLines();
  private readonly deadline: number;
  private isOutOfTime = false;

  /** @param memoryBytes returns the peak memory of the interpreter */
  constructor(quickjs: QuickJSWASMModule, job: SandboxJob, memoryBytes: () => number) {
    this.job = job;
    this.memoryBytes = memoryBytes;
    this.deadline = performance.now() + job.limitMs;
    this.runtime = quickjs.newRuntime({
      memoryLimitBytes: MEMORY_BYTES,
      maxStackSizeBytes: STACK_BYTES,
      interruptHandler: () => this.checkTime(),
    });
    this.context = this.runtime.newContext();
  }

  /** @returns a `SandboxAnswer` as one line of JSON */
  run(): string {
    const logs = this.console.lines;
    try {
      const output = this.outputText();
      // `JSON.stringify` produces no line breaks, so the result of the job is one line.
      return `{"kind":"output","output":${output},"logs":${JSON.stringify(logs)}}`;
    } catch (error) {
      const { reason, message, line } = this.failureOf(error);
      const details = { ...(line === null ? {} : { line }), ...(logs.length === 0 ? {} : { logs }) };
      return JSON.stringify({ kind: 'failure', reason, message, details });
    }
  }

  private failureOf(error: unknown): Pick<JobFailure, 'reason' | 'message' | 'line'> {
    if (this.isOutOfTime) {
      const message = `The code took longer than ${this.job.limitMs / 1_000} seconds.`;
      return { reason: 'timeout', message, line: null };
    }
    if (error instanceof JobFailure) return error;
    // Native calls, such as the parser of deeply nested JSON, can overflow the native stack before QuickJS reaches its
    // own stack limit.
    if (error instanceof RangeError)
      return { reason: 'error', message: 'The code has too many nested calls or values.', line: null };
    return { reason: 'error', message: error instanceof Error ? error.message : String(error), line: null };
  }

  private checkTime(): boolean {
    this.isOutOfTime ||= performance.now() > this.deadline;
    return this.isOutOfTime;
  }

  private outputText(): string {
    const { context } = this;
    // The functions of the prelude are read before user code runs, because user code could replace functions.
    const tools = this.call(this.evaluate(PRELUDE, 'prelude'), [
      context.newFunction('emit', (line) => this.console.add(context.getString(line))),
    ]);
    const tool = (name: string): QuickJSHandle => context.getProp(tools, name);
    const [describe, parse, stringify] = [tool('describe'), tool('parse'), tool('stringify')];
    context.setProp(context.global, 'console', tool('console'));
    const input = this.call(parse, [context.newString(this.job.input)]);
    const main = this.evaluate(`(async function (input) {\n${this.job.program}\n})`, 'source', describe);
    const result = this.resolved(this.call(main, [input], describe), describe);
    return this.json(result, stringify, describe);
  }

  private evaluate(text: string, name: string, describe?: QuickJSHandle): QuickJSHandle {
    const result = this.context.evalCode(text, name);
    if (result.error !== undefined) throw this.thrown(result.error, describe);
    return result.value;
  }

  private call(
    callee: QuickJSHandle,
    given: readonly QuickJSHandle[],
    describe?: QuickJSHandle,
  ): QuickJSHandle {
    const result = this.context.callFunction(callee, this.context.undefined, ...given);
    if (result.error !== undefined) throw this.thrown(result.error, describe);
    return result.value;
  }

  /**
   * Runs pending promise jobs until the given promise settles.
   *
   * @throws JobFailure if the promise rejects, times out or can never settle
   */
  private resolved(promise: QuickJSHandle, describe: QuickJSHandle): QuickJSHandle {
    for (;;) {
      const state = this.context.getPromiseState(promise);
      if (state.type === 'fulfilled') return state.value;
      if (state.type === 'rejected') throw this.thrown(state.error, describe);
      if (this.checkTime()) throw new JobFailure('timeout', '');
      if (!this.runtime.hasPendingJob())
        throw new JobFailure('never_resolved', 'The code waits for a promise that never resolves.');
      const round = this.runtime.executePendingJobs(JOBS_PER_ROUND);
      if (round.error !== undefined) throw this.thrown(round.error, describe);
    }
  }

  private json(result: QuickJSHandle, stringify: QuickJSHandle, describe: QuickJSHandle): string {
    const { context } = this;
    if (context.typeof(result) === 'undefined') return 'null';
    const text = context.callFunction(stringify, context.undefined, result);
    if (text.error !== undefined) {
      const { reason, message, line } = this.thrown(text.error, describe);
      throw reason === 'error'
        ? new JobFailure('invalid_output', `The return value of the code is not JSON: ${message}`, line)
        : new JobFailure(reason, message);
    }
    if (context.typeof(text.value) !== 'string')
      throw new JobFailure(
        'invalid_output',
        `The return value of the code is not JSON: it is a ${context.typeof(result)}.`,
      );
    const length = context.getNumber(context.getProp(text.value, 'length'));
    if (length > MAX_OUTPUT)
      throw new JobFailure(
        'invalid_output',
        `The return value of the code has ${length} characters of JSON. The maximum is ${MAX_OUTPUT}.`,
      );
    return context.getString(text.value);
  }

  private thrown(error: QuickJSHandle, describe?: QuickJSHandle): JobFailure {
    const { context } = this;
    const outOfMemory = new JobFailure(
      'memory_exceeded',
      `The code used more than ${MEMORY_MIB} MiB of memory.`,
    );
    if (describe === undefined) return outOfMemory;
    const described = context.callFunction(describe, context.undefined, error);
    // The call of `describe`, which converts the error to text, fails only if no memory or no time is left.
    if (described.error !== undefined) return outOfMemory;
    const message = context.getString(context.getProp(described.value, 'text'));
    // QuickJS throws a value that is not an Error if no memory is left for an Error object.
    const isMemoryUsedUp = this.memoryBytes() > MEMORY_BYTES;
    if (MEMORY_ERRORS.test(message) || (isMemoryUsedUp && message.startsWith('Thrown: '))) return outOfMemory;
    const stack = context.getString(context.getProp(described.value, 'stack'));
    // The user's code begins on the second line of the compiled source, so 1 is subtracted from the line.
    const line = Number(/\bsource:(\d+)/.exec(stack)?.[1] ?? 0) - 1;
    return new JobFailure('error', message, line >= 1 ? line : null);
  }
}
