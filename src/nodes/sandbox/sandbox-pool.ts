import { FairQueue } from './fair-queue.js';
import { type SandboxAnswer, sandboxFailure } from './sandbox-answer.js';
import { type SandboxJob, SandboxProcess, type SandboxSettings } from './sandbox-process.js';

export interface SandboxPoolSettings extends SandboxSettings {
  /** Most processes at once. */
  readonly size: number;
  /** Milliseconds after which a process that has nothing to do is ended. */
  readonly idleMs: number;
  /** Jobs after which a process is replaced by a new one. */
  readonly jobsPerProcess: number;
}

/** A job that waits for a process or runs in one. */
interface Order {
  readonly owner: string;
  readonly job: SandboxJob;
  readonly settle: (answer: SandboxAnswer) => void;
}

/**
 * Warm sandboxed processes, started when there is something to do and ended when there has been nothing for a
 * while. Each has one job at a time; the jobs of different owners take turns.
 */
export class SandboxPool {
  private readonly queue = new FairQueue<Order>();
  /** All that are not gone. */
  private readonly processes = new Set<SandboxProcess>();
  /** Those that wait for a job, the longest waiting first, with the timers of their ends. */
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  private starting = 0;
  private isClosed = false;

  constructor(private readonly settings: SandboxPoolSettings) {}

  /** Ids of its processes, those that wait included. */
  get pids(): readonly number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Runs a job as soon as a process is free; its time counts from then.
   * @param owner whom it is for
   * @param signal ends the job and its process, or takes it off the queue; the promise then rejects with its reason
   */
  run(owner: string, job: SandboxJob, signal: AbortSignal): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let process: SandboxProcess | null = null;
      const abort = (): void => {
        this.queue.remove(owner, order);
        process?.kill();
        reject(signal.reason as Error);
      };
      const order: Order & { run: (free: SandboxProcess) => Promise<SandboxAnswer> } = {
        owner,
        job,
        settle: (answer) => {
          signal.removeEventListener('abort', abort);
          resolve(answer);
        },
        run: (free) => (process = free).run(job),
      };
      signal.addEventListener('abort', abort, { once: true });
      this.queue.push(owner, order);
      this.dispatch();
    });
  }
}
