import type { OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { AnswerThread } from './answer-thread.js';
import { FairQueue } from './fair-queue.js';
import { type SandboxAnswer, sandboxFailure } from './sandbox-answer.js';
import { type SandboxJob, SandboxProcess, type SandboxSettings } from './sandbox-process.js';
import type { SandboxIsolation } from './sandbox-isolation.js';

export interface SandboxPoolSettings extends SandboxSettings {
  readonly size: number;
  /** Milliseconds without a job after which the pool ends a process. */
  readonly idleMs: number;
  /** Number of jobs after which the pool replaces a process. */
  readonly jobsPerProcess: number;
  /** Returns the isolation that this system allows. Called once, before the first process starts. */
  readonly isolation: () => Promise<SandboxIsolation>;
}

interface JobRequest {
  readonly owner: string;
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  /** The process that runs the job. Null while the job is queued. */
  process: SandboxProcess | null;
  /** Whether the job runs for the second time, because the process of its first run died. */
  isRetry: boolean;
}

/**
 * Pool of sandboxed processes, which start on demand and end when idle. Owners of queued jobs are served round-robin.
 */
export class SandboxPool implements OnModuleDestroy, OnApplicationShutdown {
  private readonly queue = new FairQueue<JobRequest>();
  private readonly processes = new Set<SandboxProcess>();
  /** Idle processes, each with the timer that ends the process. */
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  private readonly answers = new AnswerThread();
  private starting = 0;
  private isolation: SandboxIsolation | null = null;
  private isDetectingIsolation = false;
  private isShuttingDown = false;
  private isClosed = false;

  constructor(private readonly settings: SandboxPoolSettings) {}

  /** Operating-system ids of the processes in the pool. */
  get pids(): readonly number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Runs a job in a free process. If the process dies unexpectedly, the job runs once more.
   *
   * @param owner key for round-robin scheduling, such as a project id
   * @param signal removes the job from the queue or kills the process of the job; the promise then rejects with the
   * signal's reason
   */
  run(owner: string, job: SandboxJob, signal: AbortSignal): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.queue.remove(owner, request);
        request.process?.kill();
        reject(signal.reason as Error);
      };
      const settle = (answer: SandboxAnswer): void => {
        signal.removeEventListener('abort', stop);
        resolve(answer);
      };
      const request: JobRequest = { owner, job, settle, process: null, isRetry: false };
      if (signal.aborted) return stop();
      if (this.isClosed) return settle(INTERRUPTED);
      signal.addEventListener('abort', stop, { once: true });
      this.queue.push(owner, request);
      this.dispatch();
    });
  }

  /**
   * Marks the start of the shutdown. From then on, a job whose process dies counts as interrupted instead of failed.
   */
  onModuleDestroy(): void {
    this.isShuttingDown = true;
  }

  /**
   * Kills every process and interrupts all jobs. Resolves when the processes have exited. `onModuleDestroy` would run
   * too early, before the grace period of running executions ends.
   */
  async onApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    this.isClosed = true;
    for (let request = this.queue.shift(); request !== undefined; request = this.queue.shift())
      request.settle(INTERRUPTED);
    for (const process of this.processes) process.kill();
    await Promise.all([...this.processes].map(({ ended }) => ended));
    await this.answers.close();
  }

  private dispatch(): void {
    for (const [process, timer] of this.idle) {
      const request = this.queue.shift();
      if (request === undefined) return;
      clearTimeout(timer);
      this.idle.delete(process);
      void this.runJob(request, process);
    }
    if (this.isolation === null) return void this.detectIsolation();
    while (this.queue.size > this.starting && this.processes.size < this.settings.size && !this.isClosed)
      this.start(this.isolation);
  }

  private async detectIsolation(): Promise<void> {
    if (this.isDetectingIsolation) return;
    this.isDetectingIsolation = true;
    try {
      this.isolation = await this.settings.isolation();
    } catch {
      // The next job detects the isolation again. Without the result, no process may start.
      while (this.queue.size > 0) this.failNextJob();
      return;
    } finally {
      this.isDetectingIsolation = false;
    }
    this.dispatch();
  }

  private async runJob(request: JobRequest, process: SandboxProcess): Promise<void> {
    request.process = process;
    const answer = await process.run(request.job);
    request.process = null;
    this.settleOrRequeue(request, answer, process.exitedUnexpectedly);
    if (process.isUsable && process.jobs < this.settings.jobsPerProcess) return this.makeAvailable(process);
    process.kill();
    await process.ended;
    // The replacement of an ended process starts immediately, so that the next job does not have to wait.
    if (this.isolation !== null && this.processes.size < this.settings.size && !this.isClosed)
      this.start(this.isolation);
  }

  private settleOrRequeue(request: JobRequest, answer: SandboxAnswer, exitedUnexpectedly: boolean): void {
    const hasDied = answer.kind === 'failure' && answer.reason === 'process_died';
    if (hasDied && exitedUnexpectedly && !request.isRetry && !this.isClosed) {
      request.isRetry = true;
      this.queue.push(request.owner, request);
      this.dispatch();
    } else request.settle(hasDied && this.isShuttingDown ? INTERRUPTED : answer);
  }

  private start(isolation: SandboxIsolation): void {
    let process: SandboxProcess;
    try {
      process = new SandboxProcess(this.settings, isolation, this.answers);
    } catch {
      return this.failNextJob();
    }
    this.processes.add(process);
    this.starting += 1;
    let hasStarted = false;
    void process.started.then((isStarted) => {
      this.starting -= 1;
      hasStarted = isStarted;
      if (isStarted) this.makeAvailable(process);
    });
    void process.ended.then(() => {
      this.processes.delete(process);
      clearTimeout(this.idle.get(process));
      this.idle.delete(process);
      // After a failed start, the processes that already run take the queued jobs, because another start would probably
      // fail too.
      if (!hasStarted && this.processes.size > this.starting) return;
      if (!hasStarted) this.failNextJob();
      this.dispatch();
    });
  }

  /** Makes a process available. An available process gets the next queued job, or ends after `idleMs` without a job. */
  private makeAvailable(process: SandboxProcess): void {
    const end = (): void => {
      this.idle.delete(process);
      process.kill();
    };
    this.idle.set(process, setTimeout(end, this.settings.idleMs).unref());
    this.dispatch();
  }

  /** Fails one queued job, because no sandboxed process could be started. */
  private failNextJob(): void {
    const failure = sandboxFailure('process_died', 'No sandbox process could be started.');
    this.queue.shift()?.settle(this.isShuttingDown ? INTERRUPTED : failure);
  }
}

const INTERRUPTED: SandboxAnswer = { kind: 'interrupted' };
