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
  /** Source text, taken as it is. */
  readonly program: string;
  /** JSON text. */
  readonly input: string;
  /** Time it may take, in milliseconds. */
  readonly limitMs: number;
}

/** How a kind of sandboxed process is started and how much it may take. */
export interface SandboxSettings {
  /** File of the program: one that calls `serve`. */
  readonly program: URL;
  /** Options of Node.js. */
  readonly flags: readonly string[];
  /** The interpreter keeps lower limits of its own; this is for what gets past them. */
  readonly residentBytes: number;
}

/** Processor time of one job, however long its node may take: a definition can allow an hour. */
const CPU_LIMIT_MS = 60_000;

/** How often a job's use of memory and processor is looked at, where the system tells of it. */
const WATCH_MS = 50;

/** What a process that does not end a job in time gets before it is killed; it should have answered so itself. */
const GRACE_MS = 500;

/** Longest start, on a busy machine. */
const START_MS = 30_000;

/** Longest answer: the characters of an output, three bytes each, and what stands around it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What V8 ends with where its heap is full. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP'];

/** Process 1 of a PID namespace cannot abort itself: `abort` then ends it in another way. */
const NAMESPACED_OUT_OF_MEMORY_SIGNALS = [...OUT_OF_MEMORY_SIGNALS, 'SIGSEGV'];

/** A job under way. */
interface Running {
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  readonly timer: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
}

/**
 * A process of Node.js that runs strangers' programs, one at a time: with nothing in its environment, no open
 * files but its standard streams, no right to files, processes or threads, and limits, behind the wall of the
 * operating system. Whatever becomes of it, the service goes on. It has a session of its own, so that Ctrl-C and a
 * signal to the process group of the service do not reach it.
 */
export class SandboxProcess {
  /** Resolves when it can take a job, or with false when it never will. */
  readonly started: Promise<boolean>;
  /** Resolves when it is gone. */
  readonly ended: Promise<void>;
  /** Jobs that it was given. */
  jobs = 0;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private isGone = false;
  private running: Running | null = null;
  private readonly announce: (started: boolean) => void;
  /** Why it was killed in the middle of a job. */
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
    // A process that is gone breaks the pipe; that it is gone is heard of above.
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

  /** Of the process that runs the jobs; undefined where it is gone, or has not begun. */
  get pid(): number | undefined {
    const { pid } = this.child;
    if (pid === undefined || !this.wall.isNamespaced) return pid;
    return (this.sandboxedPid ??= childOf(pid));
  }

  /** Whether it ended though nobody here ended it, and not by the memory that it used. */
  get wasLost(): boolean {
    return this.isGone && this.verdict === null && !this.isOutOfMemory;
  }

  /** Whether it can be given a job, once it has started. */
  get isUsable(): boolean {
    return !this.isGone && this.verdict === null;
  }

  /**
   * Runs a job; it must have started and have no other. Never rejects. After any answer that says something of
   * the process itself (no time, no memory, gone), it is not usable any more.
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

  /** Ends it at once; a job that runs fails. */
  kill(reason: SandboxFailureReason = 'process_died'): void {
    if (this.isGone) return;
    this.verdict ??= reason;
    // Somebody may wait for its end.
    this.hold(true);
    // Not its launcher, which reaps it and then ends in the same way: process 1 of a container may reap no orphans.
    const launcher = this.child.pid;
    const sandboxed = this.wall.isNamespaced && launcher !== undefined ? childOf(launcher) : undefined;
    if (sandboxed === undefined) this.child.kill('SIGKILL');
    else killIfThere(sandboxed);
  }

  /** @returns what to call now and then while a job runs */
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
    // No program of the service says such a thing.
    if (settle === null) return this.kill();
    const answer = this.answers.read(line);
    if (answer instanceof Promise) void answer.then((read) => settle(this.accepted(read)));
    else settle(this.accepted(answer));
  }

  /** What an answer comes to, and the process with it. */
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

  /** The job takes no more time. @returns what to call with its answer; null where there is no job */
  private endOfJob(): ((answer: SandboxAnswer) => void) | null {
    const { running } = this;
    if (running === null) return null;
    this.running = null;
    clearTimeout(running.timer);
    clearInterval(running.watch);
    this.hold(false);
    return running.settle;
  }

  /** Whether the service stays because of it: it does for a job, not for a process that waits for one. */
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

/** Whether it says something of the program alone, and nothing of the process that ran it. */
function isOfProgram(reason: SandboxFailureReason): boolean {
  return reason === 'error' || reason === 'invalid_output' || reason === 'never_resolved';
}

function messageOf(reason: SandboxFailureReason, limitMs: number): string {
  if (reason === 'timeout')
    return `It took longer than ${limitMs / 1_000} seconds, or too much of the processor.`;
  if (reason === 'memory_exceeded') return 'It used more memory than it may.';
  return 'The process that it ran in came to an end.';
}
