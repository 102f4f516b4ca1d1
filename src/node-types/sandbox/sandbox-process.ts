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
  /** Source text, without template evaluation. */
  readonly program: string;
  /** JSON text. */
  readonly input: string;
  /** Time limit in milliseconds. */
  readonly limitMs: number;
}

/** How a kind of sandboxed process is started, and its limits. */
export interface SandboxSettings {
  /** Program file; it calls `serve`. */
  readonly program: URL;
  /** Command-line options of Node.js. */
  readonly flags: readonly string[];
  /** Maximum resident memory. A safety net: the interpreter enforces lower limits itself. */
  readonly residentBytes: number;
}

/** Maximum CPU time of one job, even if the node allows an hour. */
const CPU_LIMIT_MS = 60_000;

/** Interval at which memory and CPU time of a job are checked, on systems with `/proc`. */
const WATCH_MS = 50;

/** Time after the job's limit before the process is killed; normally it has reported the timeout by then. */
const GRACE_MS = 500;

/** Maximum startup time, generous for a busy machine. */
const START_MS = 30_000;

/** Maximum size of an answer: the output at three bytes per character, plus its envelope. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Signals with which V8 exits when its heap is full. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP'];

/** Process 1 of a PID namespace cannot abort itself, so `abort` ends it with another signal. */
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
 * standard streams, no access to files, processes or threads, resource limits, and OS-level isolation. Its failure does
 * not affect the service. It runs in its own session, so that Ctrl-C and signals to the service's process group do not
 * reach it.
 */
export class SandboxProcess {
  /** Resolves with true when it can accept jobs, or with false if it never will. */
  readonly started: Promise<boolean>;
  /** Resolves when it has exited. */
  readonly ended: Promise<void>;
  /** Number of jobs it has received. */
  jobs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private isGone = false;
  private running: Running | null = null;
  private readonly announce: (started: boolean) => void;
  /** Why it was killed. */
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

  /** Whether it exited without being killed by this class or running out of memory. */
  get wasLost(): boolean {
    return this.isGone && this.verdict === null && !this.isOutOfMemory;
  }

  /** Whether it can accept further jobs, once it has started. */
  get isUsable(): boolean {
    return !this.isGone && this.verdict === null;
  }

  /**
   * Runs a job; requires a started process without another job. Never rejects. After a failure of the process itself
   * (timeout, memory, exit) the process is not usable.
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

  /** Kills it at once; a running job fails. */
  kill(reason: SandboxFailureReason = 'process_died'): void {
    if (this.isGone) return;
    this.verdict ??= reason;
    // A caller may await `ended`.
    this.hold(true);
    // Kill the sandboxed child, not its launcher. The launcher reaps the child and exits the same way; process 1 of a
    // container may not reap orphans.
    const launcher = this.child.pid;
    const sandboxed = this.wall.isNamespaced && launcher !== undefined ? childOf(launcher) : undefined;
    if (sandboxed === undefined) this.child.kill('SIGKILL');
    else killIfThere(sandboxed);
  }

  /** @returns a check to call periodically while a job runs */
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
    // Output without a job: no program of the service sends that.
    if (settle === null) return this.kill();
    const answer = this.answers.read(line);
    if (answer instanceof Promise) void answer.then((read) => settle(this.accepted(read)));
    else settle(this.accepted(answer));
  }

  /**
   * Converts an answer to a result. Kills the process if the answer is invalid, or a failure of the process rather than
   * of the program.
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

  /** Stops the timers of the job. @returns the function that settles it; null if there is no job */
  private endOfJob(): ((answer: SandboxAnswer) => void) | null {
    const { running } = this;
    if (running === null) return null;
    this.running = null;
    clearTimeout(running.timer);
    clearInterval(running.watch);
    this.hold(false);
    return running.settle;
  }

  /** Keeps the service alive while a job runs, but not for an idle process. */
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

/** Returns true if the failure concerns only the program, so that its process is reusable. */
function isOfProgram(reason: SandboxFailureReason): boolean {
  return reason === 'error' || reason === 'invalid_output' || reason === 'never_resolved';
}

function messageOf(reason: SandboxFailureReason, limitMs: number): string {
  if (reason === 'timeout')
    return `It took longer than ${limitMs / 1_000} seconds, or too much of the processor.`;
  if (reason === 'memory_exceeded') return 'It used more memory than it may.';
  return 'The process that it ran in came to an end.';
}
