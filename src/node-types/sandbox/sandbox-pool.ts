import { AnswerThread } from './answer-thread.js';
import { FairQueue } from './fair-queue.js';
import { type SandboxAnswer, sandboxFailure } from './sandbox-answer.js';
import { type SandboxJob, SandboxProcess, type SandboxSettings } from './sandbox-process.js';
import type { SandboxWall } from './sandbox-wall.js';

export interface SandboxPoolSettings extends SandboxSettings {
  /** Most processes at once. */
  readonly size: number;
  /** Milliseconds after which a process that has nothing to do is ended. */
  readonly idleMs: number;
  /** Jobs after which a process is replaced by a new one. */
  readonly jobsPerProcess: number;
  /** Finds what its processes run behind; asked before the first one starts. */
  readonly wall: () => Promise<SandboxWall>;
}

/** A job on its way. */
interface Order {
  readonly owner: string;
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
  /** Where it runs; null while it waits. */
  process: SandboxProcess | null;
  /** Whether it runs for the second time, since its first process was lost. */
  isSecond: boolean;
}

/**
 * Warm sandboxed processes, started when there is something to do and ended when there has been nothing for a
 * while. Each has one job at a time; the jobs of different owners take turns.
 */
export class SandboxPool {
  private readonly queue = new FairQueue<Order>();
  /** All that are not gone. */
  private readonly processes = new Set<SandboxProcess>();
  /** Those that wait for a job, with the timers of their ends. */
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  private readonly answers = new AnswerThread();
  private starting = 0;
  /** Null until it is found. */
  private wall: SandboxWall | null = null;
  private isPreparing = false;
  private isLeaving = false;
  private isClosed = false;

  constructor(private readonly settings: SandboxPoolSettings) {}

  /** Ids of its processes. */
  get pids(): readonly number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Runs a job as soon as a process is free; its time counts from then. Where its process is lost, such as to the
   * system's want of memory, it runs once more.
   * @param owner whom it is for
   * @param signal takes the job off the queue or ends it with its process; the promise then rejects with the reason
   */
  run(owner: string, job: SandboxJob, signal: AbortSignal): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.queue.remove(owner, order);
        order.process?.kill();
        reject(signal.reason as Error);
      };
      const settle = (answer: SandboxAnswer): void => {
        signal.removeEventListener('abort', stop);
        resolve(answer);
      };
      const order: Order = { owner, job, settle, process: null, isSecond: false };
      if (signal.aborted) return stop();
      if (this.isClosed) return settle(INTERRUPTED);
      signal.addEventListener('abort', stop, { once: true });
      this.queue.push(owner, order);
      this.dispatch();
    });
  }

  /** The service is ending: what is lost from now on is interrupted, and has not failed. */
  leave(): void {
    this.isLeaving = true;
  }

  /** Ends every process, and interrupts what runs; resolves when they are gone. */
  async close(): Promise<void> {
    this.isLeaving = true;
    this.isClosed = true;
    for (let order = this.queue.shift(); order !== undefined; order = this.queue.shift())
      order.settle(INTERRUPTED);
    for (const process of this.processes) process.kill();
    await Promise.all([...this.processes].map(({ ended }) => ended));
    await this.answers.close();
  }

  private dispatch(): void {
    for (const [process, timer] of this.idle) {
      const order = this.queue.shift();
      if (order === undefined) return;
      clearTimeout(timer);
      this.idle.delete(process);
      void this.give(order, process);
    }
    if (this.wall === null) return void this.prepare();
    while (this.queue.size > this.starting && this.processes.size < this.settings.size && !this.isClosed)
      this.start(this.wall);
  }

  private async prepare(): Promise<void> {
    if (this.isPreparing) return;
    this.isPreparing = true;
    this.wall = await this.settings.wall();
    this.dispatch();
  }

  private async give(order: Order, process: SandboxProcess): Promise<void> {
    order.process = process;
    const answer = await process.run(order.job);
    order.process = null;
    this.answer(order, answer, process.wasLost);
    if (process.isUsable && process.jobs < this.settings.jobsPerProcess) return this.await(process);
    process.kill();
    await process.ended;
    // So that the next job does not have to wait for it.
    if (this.wall !== null && this.processes.size < this.settings.size && !this.isClosed)
      this.start(this.wall);
  }

  private answer(order: Order, answer: SandboxAnswer, wasLost: boolean): void {
    const hasDied = answer.kind === 'failure' && answer.reason === 'process_died';
    if (hasDied && wasLost && !order.isSecond && !this.isClosed) {
      order.isSecond = true;
      this.queue.push(order.owner, order);
      this.dispatch();
    } else order.settle(hasDied && this.isLeaving ? INTERRUPTED : answer);
  }

  private start(wall: SandboxWall): void {
    let process: SandboxProcess;
    try {
      process = new SandboxProcess(this.settings, wall, this.answers);
    } catch {
      return this.refuse();
    }
    this.processes.add(process);
    this.starting += 1;
    let hasStarted = false;
    void process.started.then((isStarted) => {
      this.starting -= 1;
      hasStarted = isStarted;
      if (isStarted) this.await(process);
    });
    void process.ended.then(() => {
      this.processes.delete(process);
      clearTimeout(this.idle.get(process));
      this.idle.delete(process);
      // Where others run they see to what waits; another start would hardly fare better.
      if (!hasStarted && this.processes.size > this.starting) return;
      if (!hasStarted) this.refuse();
      this.dispatch();
    });
  }

  /** Lets a process wait for a job, or gives it one. */
  private await(process: SandboxProcess): void {
    const end = (): void => {
      this.idle.delete(process);
      process.kill();
    };
    this.idle.set(process, setTimeout(end, this.settings.idleMs).unref());
    this.dispatch();
  }

  /** No process can be started and none is there: a job fails, so that it does not wait for ever. */
  private refuse(): void {
    const failure = sandboxFailure('process_died', 'No process could be started to run it in.');
    this.queue.shift()?.settle(this.isLeaving ? INTERRUPTED : failure);
  }
}

const INTERRUPTED: SandboxAnswer = { kind: 'interrupted' };
