import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lineReader } from './json-lines.js';
import { childOf, killIfThere } from './launched-child.js';
import { processUsage } from './process-usage.js';
import type { AnswerThread } from './answer-thread.js';
import { type SandboxAnswer, sandboxFailure, type SandboxFailureReason } from './sandbox-answer.js';
import type { SandboxWall } from './sandbox-wall.js';

/** A job for a sandboxed process. */
export interface SandboxJob {
  /** Source text of the program. Expressions in it are not evaluated. */
  readonly program: string;
  /** JSON text of the input. */
  readonly input: string;
  /** Time limit in milliseconds. */
  readonly limitMs: number;
}

/** How to start one kind of sandboxed process, and its limits. */
export interface SandboxSettings {
  /** Program file; it calls `serve`. */
  readonly program: URL;
  /** Command-line options for Node.js. */
  readonly flags: readonly string[];
  /** Maximum resident memory in bytes. Normally the interpreter enforces a lower limit first. */
  readonly residentBytes: number;
}

/** Maximum CPU time of one job in milliseconds, even if the node's timeout is longer. */
const CPU_LIMIT_MS = 60_000;

/** Interval in milliseconds at which memory and CPU time of a job are checked, on systems with `/proc`. */
const WATCH_MS = 50;

/** Milliseconds between the job's time limit and the kill. A process that works reports the timeout in this time. */
const GRACE_MS = 500;

/** Maximum startup time in milliseconds. The value is high, because the machine may be busy. */
const START_MS = 30_000;

/** Maximum size of an answer in bytes: the longest output at three bytes per character, plus the JSON around it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Signals that end a process when the heap of V8 is full. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP'];

/**
 * Signals that end process 1 of a PID namespace when the heap of V8 is full. Such a process cannot abort itself, so
 * `abort` ends it with another signal.
 */
const NAMESPACED_OUT_OF_MEMORY_SIGNALS = [...OUT_OF_MEMORY_SIGNALS, 'SIGSEGV'];

/** A running job. */
interface Running {
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  readonly timer: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
}

/**
 * A Node.js process that runs untrusted programs, one at a time. It has an empty environment, no open files except
 * standard streams, and no access to files, processes or threads. Resource limits and OS-level isolation apply. If this
 * process fails, the service continues. It runs in a separate session, so that Ctrl-C and signals to the service's
 * process group do not reach it.
 */
export class SandboxProcess {
  /** Resolves with true when the process can accept jobs, or with false if it never will. */
  readonly started: Promise<boolean>;
  /** Resolves when the process has exited. */
  readonly ended: Promise<void>;
  /** Number of jobs that the process has received. */
  jobs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private isGone = false;
  private running: Running | null = null;
  private readonly announce: (started: boolean) => void;
  /** Why this class killed the process; null if it did not. */
  private verdict: SandboxFailureReason | null = null;
  private isOutOfMemory = false;

  private sandboxedPid: number | undefined;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly wall: SandboxWall,
    private readonly answers: Pick<AnswerThread, 'read'>,
  ) {
    const { flags, program } = settings;
    const [file, ...words] = [...wall.command, process.execPath, ...flags, fileURLToPath(program)];
    this.child = spawn(file, words, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.started = promise;
    this.announce = (isStarted) => {
      this.hold(false);
      resolve(isStarted);
    };
    const startTimer = setTimeout(() => this.kill(), START_MS).unref();
    void promise.then(() => clearTimeout(startTimer));
    this.ended = new Promise((gone) => {
      const end = (signal: NodeJS.Signals | null): void => {
        this.finish(signal);
        gone();
      };
      this.child.once('exit', (_code, signal) => end(signal));
      this.child.once('error', () => end(null));
    });
    // Writing to an exited process fails with EPIPE; the exit is handled above.
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.on(
      'data',
      lineReader(
        MAX_ANSWER_BYTES,
        (line) => this.receive(line),
        () => this.kill(),
      ),
    );
  }

  /** Id of the process that runs the jobs; undefined if it has exited or not started. */
  get pid(): number | undefined {
    const { pid } = this.child;
    if (pid === undefined || !this.wall.isNamespaced) return pid;
    return (this.sandboxedPid ??= childOf(pid));
  }

  /** Whether the process exited, but was neither killed by this class nor out of memory. */
  get wasLost(): boolean {
    return this.isGone && this.verdict === null && !this.isOutOfMemory;
  }

  /** Whether the process, once started, can accept further jobs. */
  get isUsable(): boolean {
    return !this.isGone && this.verdict === null;
  }

  /**
   * Runs a job. Requires a started process that runs no other job. Never rejects. If the process caused a failure
   * (timeout, memory, exit), it can no longer be used.
   */
  run(job: SandboxJob): Promise<SandboxAnswer> {
    this.jobs += 1;
    this.hold(true);
    return new Promise((resolve) => {
      const check = this.watch();
      this.running = {
        job,
        settle: resolve,
        timer: setTimeout(() => this.kill('timeout'), job.limitMs + GRACE_MS),
        watch: setInterval(check, WATCH_MS),
      };
      if (this.isGone) this.finish(null);
      else this.child.stdin.write(`${JSON.stringify(job)}\n`);
    });
  }

  /** Kills the process immediately; a running job fails. */
  kill(reason: SandboxFailureReason = 'process_died'): void {
    if (this.isGone) return;
    this.verdict ??= reason;
    // A caller may await `ended`.
    this.hold(true);
    // Kill the sandboxed child and not its launcher: the launcher then reaps the child and exits in the same way. In a
    // container, process 1 may not reap orphans.
    const launcher = this.child.pid;
    const sandboxed = this.wall.isNamespaced && launcher !== undefined ? childOf(launcher) : undefined;
    if (sandboxed === undefined) this.child.kill('SIGKILL');
    else killIfThere(sandboxed);
  }

  /**
   * Starts the checks of memory and CPU time.
   * @returns a function to call periodically while a job runs
   */
  private watch(): () => void {
    let startedCpuMs: number | null = null;
    return () => {
      const usage = this.pid === undefined ? null : processUsage(this.pid);
      if (usage === null) return;
      startedCpuMs ??= usage.cpuMs;
      if (usage.residentBytes > this.settings.residentBytes) this.kill('memory_exceeded');
      else if (usage.cpuMs - startedCpuMs > CPU_LIMIT_MS) this.kill('timeout');
    };
  }

  private receive(line: readonly Buffer[]): void {
    if (line.every(({ length }) => length === 0) && this.running === null) return this.announce(true);
    const settle = this.endOfJob();
    // The process wrote output without a job. No program of the service does that, so the process is compromised.
    if (settle === null) return this.kill();
    const answer = this.answers.read(line);
    if (answer instanceof Promise) void answer.then((read) => settle(this.accepted(read)));
    else settle(this.accepted(answer));
  }

  /**
   * Converts an answer to a result. Kills the process if the answer is invalid, or if the process rather than the
   * program caused the failure.
   */
  private accepted(answer: SandboxAnswer | null): SandboxAnswer {
    if (answer === null) {
      this.kill();
      return sandboxFailure('process_died', messageOf('process_died', 0));
    }
    if (answer.kind === 'failure' && !isOfProgram(answer.reason)) this.kill(answer.reason);
    return answer;
  }

  private finish(signal: NodeJS.Signals | null): void {
    this.isGone = true;
    this.announce(false);
    const limitMs = this.running?.job.limitMs ?? 0;
    this.isOutOfMemory ||= (
      this.wall.isNamespaced ? NAMESPACED_OUT_OF_MEMORY_SIGNALS : OUT_OF_MEMORY_SIGNALS
    ).includes(signal);
    const reason = this.verdict ?? (this.isOutOfMemory ? 'memory_exceeded' : 'process_died');
    this.endOfJob()?.(sandboxFailure(reason, messageOf(reason, limitMs)));
  }

  /**
   * Stops the timers of the job.
   * @returns the function that settles the job; null if there is no job
   */
  private endOfJob(): ((answer: SandboxAnswer) => void) | null {
    const { running } = this;
    if (running === null) return null;
    this.running = null;
    clearTimeout(running.timer);
    clearInterval(running.watch);
    this.hold(false);
    return running.settle;
  }

  /** Sets whether this process keeps the service alive. It must do so only while a job runs. */
  private hold(isHeld: boolean): void {
    for (const handle of [
      this.child,
      this.child.stdin,
      this.child.stdout,
    ] as readonly Partial<NodeJS.RefCounted>[])
      if (isHeld) handle.ref?.();
      else handle.unref?.();
  }
}

/** Whether only the program caused the failure, so that the process can be reused. */
function isOfProgram(reason: SandboxFailureReason): boolean {
  return reason === 'error' || reason === 'invalid_output' || reason === 'never_resolved';
}

function messageOf(reason: SandboxFailureReason, limitMs: number): string {
  if (reason === 'timeout')
    return `The program took longer than ${limitMs / 1_000} seconds, or used too much CPU time.`;
  if (reason === 'memory_exceeded') return 'The program exceeded its memory limit.';
  return 'The sandbox process exited unexpectedly.';
}
