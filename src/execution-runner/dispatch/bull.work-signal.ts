import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Queue, Worker } from 'bullmq';
import { HintCoalescer } from '../../storage/index.js';
import { type RedisLink } from '../../redis/index.js';
import { type WorkListener, WorkSignal } from './work-signal.js';

const QUEUE = 'work';

/** One hint that waits says it all, so all have one name, and Redis never holds more than one. */
const HINT = 'work';

/** After an outage BullMQ may wait this long before it fetches again. */
const RETURN_MS = 10_000;

/** After a fetch that failed. */
const RETRY_MS = 500;

/** Minimum gap between two hints of one process: anybody who reaches Redis can add as many as they like. */
const HINT_GAP_MS = 5;

/** How often hints are looked for that were fetched by a process which then died. */
const STALLED_MS = 5_000;

/** A worker of BullMQ whose jobs are taken off the queue by hand. */
interface HintWorker extends Worker {
  /**
   * Takes a hint off the queue, and looks for the next in the same command: there is none, since none is added while
   * one is there, and so `getNextJob` waits for one at once.
   */
  takeOff(hint: Job, token: string): Promise<Job | undefined>;
}

/**
 * By BullMQ: each hint goes to one process that has room. Only such a process asks for one, and it takes the
 * hint off the queue before it looks into the database: a hint that is added later than that stays for whoever
 * has room next. While Redis is away, the other signal tells; it is heard at all times.
 */
export class BullWorkSignal extends WorkSignal {
  private readonly logger = new Logger(BullWorkSignal.name);
  private readonly hints: HintCoalescer;
  private worker: HintWorker | undefined;
  private closed = false;
  private wasLost = false;
  /** Until then the other signal tells, too, on the clock of the process. */
  private returnedUntil = 0;

  private constructor(
    private readonly redis: RedisLink,
    private readonly queue: Queue,
    private readonly makeWorker: () => HintWorker,
    private readonly otherwise: WorkSignal,
  ) {
    super();
    this.hints = new HintCoalescer(() => this.send());
    redis.client.on('close', () => (this.wasLost = true));
    redis.client.on('ready', () => this.onReady());
  }

  /** @param otherwise tells while Redis is away */
  static async open(redis: RedisLink, otherwise: WorkSignal): Promise<BullWorkSignal> {
    const bull = await import('bullmq');
    const prefix = `${redis.prefix}:queue`;
    const queue = new bull.Queue(QUEUE, { connection: redis.client, prefix, skipMetasUpdate: true });
    queue.on('error', ignore);
    // Fetched by hand and not by a processor: this process must be able not to ask.
    class ByHand extends bull.Worker implements HintWorker {
      takeOff(hint: Job, token: string): Promise<Job | undefined> {
        return this.handleCompleted(null, hint, token);
      }
    }
    const makeWorker = (): HintWorker => {
      const connection = redis.forWaiting();
      const worker = new ByHand(QUEUE, null, { connection, prefix, stalledInterval: STALLED_MS });
      worker.on('error', ignore).once('closed', () => connection.disconnect());
      return worker;
    };
    return new BullWorkSignal(redis, queue, makeWorker, otherwise);
  }

  tell(): void {
    this.hints.notify();
  }

  async listen(listener: WorkListener): Promise<void> {
    await this.otherwise.listen(listener);
    this.worker = this.makeWorker();
    void this.worker.startStalledCheckTimer().catch(ignore);
    void this.fetchAll(this.worker, listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.close(true);
    await this.send();
    await this.otherwise.close();
    await this.queue.close();
  }

  /** What was told while Redis was away, or was lost with it, is told once more. */
  private onReady(): void {
    if (this.wasLost) this.returnedUntil = performance.now() + RETURN_MS;
    this.wasLost = false;
    this.tell();
  }

  private async send(): Promise<void> {
    if (!this.redis.isUp || performance.now() < this.returnedUntil) this.otherwise.tell();
    if (!this.redis.isUp) return;
    try {
      await this.redis.ask(() =>
        this.queue.add(HINT, null, { jobId: HINT, removeOnComplete: true, removeOnFail: true }),
      );
    } catch {
      this.otherwise.tell();
    }
  }

  private async fetchAll(worker: HintWorker, listener: WorkListener): Promise<void> {
    const token = worker.id;
    while (!this.closed) {
      await listener.hungry();
      try {
        let hint: Job | undefined = await worker.getNextJob(token);
        while (hint !== undefined) {
          hint = await worker.takeOff(hint, token);
          if (!listener.hear()) this.tell();
          if (hint !== undefined) await pause(HINT_GAP_MS, undefined, { ref: false });
        }
      } catch (error) {
        this.logger.debug({ err: error }, 'A hint could not be fetched; trying again.');
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}

/** The link tells of outages, once. */
function ignore(): void {}
