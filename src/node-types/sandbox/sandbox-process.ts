import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lineReader } from './json-lines.js';
import { childOf, killIfThere } from './launched-child.js';
import { processUsage } from './process-usage.js';
import type { AnswerThread } from './answer-thread.js';
import { type SandboxAnswer, sandboxFailure, type SandboxFailureReason } from './sandbox-answer.js';
import type { SandboxWall } from './sandbox-wall.js';

export interface SandboxJob {
  /** Source text of the program. Expressions in the text are not evaluated. */
  readonly program: string;
  readonly input: string;
  readonly limitMs: number;
}

/** The start command and the limits of one kind of sandboxed process. */
export interface SandboxSettings {
  /** Program file, which calls `serve`. */
  readonly program: URL;
  readonly flags: readonly string[];
  /** Maximum resident memory in bytes. The interpreter usually enforces a lower limit first. */
  readonly residentBytes: number;
}

/** Maximum CPU time of one job in milliseconds, whatever the node's timeout. */
const CPU_LIMIT_MS = 60_000;

/** Milliseconds between checks of a job's memory and CPU time, on systems with `/proc`. */
const WATCH_MS = 50;

/** Milliseconds between the job's time limit and the kill. A working process reports the timeout in this time. */
const GRACE_MS = 500;

/** Maximum milliseconds until a started process is ready. The limit is high, for a busy machine. */
const START_MS = 30_000;

/** Maximum bytes of an answer: the longest output at three bytes per character, plus the JSON around it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Signals that end a process when the heap of V8 is full. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP'];

/**
 * Signals that end process 1 of a PID namespace with a full heap. `abort` ends such a process with another signal.
 */
const NAMESPACED_OUT_OF_MEMORY_SIGNALS = [...OUT_OF_MEMORY_SIGNALS, 'SIGSEGV'];

interface Running {
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  readonly timer: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
}

/**
 * A Node.js process that runs untrusted programs, one at a time. The process has an empty environment, no open files
 * except standard streams, and no access to files, processes or threads.
 */
export class SandboxProcess {
  /** Resolves to whether the process can accept jobs. */
  readonly started: Promise<boolean>;
  readonly ended: Promise<void>;
  jobs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private isGone = false;
  private running: Running | null = null;
  private readonly announce: (started: boolean) => void;
  /** Why this class killed the process. Null without a kill. */
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
    // A write to an exited process fails with EPIPE. The exit is handled above.
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

  /** Id of the process that runs the jobs. Undefined before its start and after its exit. */
  get pid(): number | undefined {
    const { pid } = this.child;
    if (pid === undefined || !this.wall.isNamespaced) return pid;
    return (this.sandboxedPid ??= childOf(pid));
  }

  /** Whether the process exited without a kill and without running out of memory. */
  get wasLost(): boolean {
    return this.isGone && this.verdict === null && !this.isOutOfMemory;
  }

  /** Whether the started process can accept further jobs. */
  get isUsable(): boolean {
    return !this.isGone && this.verdict === null;
  }

  /**
   * Runs a job in a started, idle process. Never rejects. After a timeout or a memory failure, the process cannot be
   * used again.
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

  /** Kills the process immediately. A running job fails. */
  kill(reason: SandboxFailureReason = 'process_died'): void {
    if (this.isGone) return;
    this.verdict ??= reason;
    // A caller may await `ended`.
    this.hold(true);
    // Only the sandboxed child is killed, so that its launcher can reap the child. In a container, process 1 may not
    // reap orphans.
    const launcher = this.child.pid;
    const sandboxed = this.wall.isNamespaced && launcher !== undefined ? childOf(launcher) : undefined;
    if (sandboxed === undefined) this.child.kill('SIGKILL');
    else killIfThere(sandboxed);
  }

  /**
   * Starts the checks of memory and CPU time.
   *
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
    // Only a compromised process writes output without a job.
    if (settle === null) return this.kill();
    const answer = this.answers.read(line);
    if (answer instanceof Promise) void answer.then((read) => settle(this.accepted(read)));
    else settle(this.accepted(answer));
  }

  /** Converts an answer to a result. Kills a process that gave an invalid answer or caused the failure. */
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
   *
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

  /** @param isHeld whether this process keeps the service alive; true only while a job runs */
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

/** Whether only the program caused the failure. The process can then be used again. */
function isOfProgram(reason: SandboxFailureReason): boolean {
  return reason === 'error' || reason === 'invalid_output' || reason === 'never_resolved';
}

function messageOf(reason: SandboxFailureReason, limitMs: number): string {
  if (reason === 'timeout')
    return `The program took longer than ${limitMs / 1_000} seconds, or used too much CPU time.`;
  if (reason === 'memory_exceeded') return 'The program exceeded its memory limit.';
  return 'The sandbox process exited unexpectedly.';
}
