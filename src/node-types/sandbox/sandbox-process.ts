import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lineReader } from './json-lines.js';
import { childOf, killIfRunning } from './launched-child.js';
import { processUsage } from './process-usage.js';
import type { AnswerThread } from './answer-thread.js';
import { type SandboxAnswer, sandboxFailure, type SandboxFailureReason } from './sandbox-answer.js';
import type { SandboxIsolation } from './sandbox-isolation.js';

export interface SandboxJob {
  /** Source text of the program. `{{ }}` expressions in the text are not evaluated. */
  readonly program: string;
  readonly input: string;
  readonly limitMs: number;
}

/** The start command and the limits of one kind of sandboxed process. */
export interface SandboxSettings {
  /** File of the program, which calls the function `serve`. */
  readonly program: URL;
  readonly flags: readonly string[];
  /** Maximum resident memory in bytes. The interpreter usually enforces a lower limit first. */
  readonly residentBytes: number;
}

/** Maximum CPU time of one job in milliseconds. A longer timeout of the node does not raise this limit. */
const CPU_LIMIT_MS = 60_000;

/** Milliseconds between two checks of a job's memory and CPU time. Only systems with `/proc` allow these checks. */
const WATCH_MS = 50;

/**
 * Milliseconds between the time limit of a job and the kill of its process. A working process reports the timeout
 * within these milliseconds.
 */
const GRACE_MS = 500;

/**
 * Maximum milliseconds until a started process is ready. The limit is high, because a busy machine starts processes
 * slowly.
 */
const START_MS = 30_000;

/**
 * Maximum size of an answer in bytes: the longest output at three bytes per character, plus the JSON around the output.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Signals by which a process ends when its V8 heap is full. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP'];

/**
 * Signals by which process 1 of a PID namespace ends when its V8 heap is full. The kernel ignores SIGABRT for process
 * 1, so `abort` ends process 1 with SIGSEGV.
 */
const NAMESPACED_OUT_OF_MEMORY_SIGNALS = [...OUT_OF_MEMORY_SIGNALS, 'SIGSEGV'];

interface Running {
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  readonly timer: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
}

/**
 * A Node.js process that runs untrusted programs, one at a time. The process has an empty environment and no open files
 * except the standard streams. Its permissions forbid writing files, child processes and threads.
 */
export class SandboxProcess {
  /**
   * Resolves to true when the process is ready for jobs, or to false if the process ends before it is ready.
   */
  readonly started: Promise<boolean>;
  readonly ended: Promise<void>;
  jobs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private hasExited = false;
  private running: Running | null = null;
  private readonly resolveStarted: (started: boolean) => void;
  /** Reason why this class killed the process. Null if this class has not killed the process. */
  private killReason: SandboxFailureReason | null = null;
  private isOutOfMemory = false;

  private sandboxedPid: number | undefined;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly isolation: SandboxIsolation,
    private readonly answers: Pick<AnswerThread, 'read'>,
  ) {
    const { flags, program } = settings;
    const [file, ...args] = [...isolation.command, process.execPath, ...flags, fileURLToPath(program)];
    this.child = spawn(file, args, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.started = promise;
    this.resolveStarted = (isStarted) => {
      this.keepServiceAlive(false);
      resolve(isStarted);
    };
    const startTimer = setTimeout(() => this.kill(), START_MS).unref();
    void promise.then(() => clearTimeout(startTimer));
    this.ended = new Promise((gone) => {
      const end = (signal: NodeJS.Signals | null): void => {
        this.handleExit(signal);
        gone();
      };
      this.child.once('exit', (_code, signal) => end(signal));
      this.child.once('error', () => end(null));
    });
    // A write to an exited process fails with EPIPE. The error is ignored, because the event `exit` ends the job.
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

  /** Id of the process that runs the jobs. Undefined until that process has started. */
  get pid(): number | undefined {
    const { pid } = this.child;
    if (pid === undefined || !this.isolation.isNamespaced) return pid;
    return (this.sandboxedPid ??= childOf(pid));
  }

  /** Whether the process exited unexpectedly: not killed by this class, and not because of a full heap. */
  get exitedUnexpectedly(): boolean {
    return this.hasExited && this.killReason === null && !this.isOutOfMemory;
  }

  /** Whether the process, once started, can accept further jobs. */
  get isUsable(): boolean {
    return !this.hasExited && this.killReason === null;
  }

  /**
   * Runs a job. The process must have started and be idle. Never rejects. After a timeout or a memory failure, the
   * process cannot be used again.
   */
  run(job: SandboxJob): Promise<SandboxAnswer> {
    this.jobs += 1;
    this.keepServiceAlive(true);
    return new Promise((resolve) => {
      const check = this.watch();
      this.running = {
        job,
        settle: resolve,
        timer: setTimeout(() => this.kill('timeout'), job.limitMs + GRACE_MS),
        watch: setInterval(check, WATCH_MS),
      };
      if (this.hasExited) this.handleExit(null);
      else this.child.stdin.write(`${JSON.stringify(job)}\n`);
    });
  }

  /** Kills the process immediately. A running job fails. */
  kill(reason: SandboxFailureReason = 'process_died'): void {
    if (this.hasExited) return;
    this.killReason ??= reason;
    // The handle of the child must keep the service alive until the child has exited, because a caller may wait for this
    // exit.
    this.keepServiceAlive(true);
    // Only the sandboxed child is killed, so that its launcher can reap the child. In a container, process 1 may not
    // reap orphaned processes.
    const launcher = this.child.pid;
    const sandboxed = this.isolation.isNamespaced && launcher !== undefined ? childOf(launcher) : undefined;
    if (sandboxed === undefined) this.child.kill('SIGKILL');
    else killIfRunning(sandboxed);
  }

  /**
   * Starts to measure the memory and CPU time of a job.
   *
   * @returns the check, which must be called periodically while the job runs
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
    if (line.every(({ length }) => length === 0) && this.running === null) return this.resolveStarted(true);
    const settle = this.endJob();
    // Only a compromised process writes output while no job runs, so the process is killed.
    if (settle === null) return this.kill();
    const answer = this.answers.read(line);
    if (answer instanceof Promise) void answer.then((read) => settle(this.checkAnswer(read)));
    else settle(this.checkAnswer(answer));
  }

  /**
   * Converts an answer of the process to the answer of the job. Kills the process after an invalid answer, and after a
   * failure that prevents further jobs, such as a timeout.
   */
  private checkAnswer(answer: SandboxAnswer | null): SandboxAnswer {
    if (answer === null) {
      this.kill();
      return sandboxFailure('process_died', messageOf('process_died', 0));
    }
    if (answer.kind === 'failure' && !isProgramFailure(answer.reason)) this.kill(answer.reason);
    return answer;
  }

  private handleExit(signal: NodeJS.Signals | null): void {
    this.hasExited = true;
    this.resolveStarted(false);
    const limitMs = this.running?.job.limitMs ?? 0;
    this.isOutOfMemory ||= (
      this.isolation.isNamespaced ? NAMESPACED_OUT_OF_MEMORY_SIGNALS : OUT_OF_MEMORY_SIGNALS
    ).includes(signal);
    const reason = this.killReason ?? (this.isOutOfMemory ? 'memory_exceeded' : 'process_died');
    this.endJob()?.(sandboxFailure(reason, messageOf(reason, limitMs)));
  }

  /**
   * Ends the current job and stops its timers.
   *
   * @returns the function that settles the job; null if no job runs
   */
  private endJob(): ((answer: SandboxAnswer) => void) | null {
    const { running } = this;
    if (running === null) return null;
    this.running = null;
    clearTimeout(running.timer);
    clearInterval(running.watch);
    this.keepServiceAlive(false);
    return running.settle;
  }

  /** @param isNeeded whether this process keeps the service alive; true only while a job runs */
  private keepServiceAlive(isNeeded: boolean): void {
    for (const handle of [
      this.child,
      this.child.stdin,
      this.child.stdout,
    ] as readonly Partial<NodeJS.RefCounted>[])
      if (isNeeded) handle.ref?.();
      else handle.unref?.();
  }
}

/** Whether only the program caused the failure, so that the process can run further jobs. */
function isProgramFailure(reason: SandboxFailureReason): boolean {
  return reason === 'error' || reason === 'invalid_output' || reason === 'never_resolved';
}

function messageOf(reason: SandboxFailureReason, limitMs: number): string {
  if (reason === 'timeout')
    return `The program took longer than ${limitMs / 1_000} seconds, or used too much CPU time.`;
  if (reason === 'memory_exceeded') return 'The program exceeded its memory limit.';
  return 'The sandbox process exited unexpectedly.';
}
