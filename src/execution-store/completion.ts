import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isKnown } from '../execution-events/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { type Execution, hasEnded, progressAfter } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';

/**
 * Waits for the end of executions. Listens to the event bus, because polling would put load on the database.
 */
@Injectable()
export class Completion implements OnModuleDestroy {
  private readonly shutdown = new AbortController();

  constructor(
    private readonly bus: EventBus,
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
  ) {
    setMaxListeners(0, this.shutdown.signal);
  }

  onModuleDestroy(): void {
    this.shutdown.abort();
  }

  /**
   * Starts to collect the events of an execution, so that a later wait misses none. If this process creates the
   * execution, call this method before the commit.
   *
   * @param execution the execution as read from the database, or as the next commit creates it
   * @param isNew true if this process is about to create the execution
   */
  watch(execution: Execution, isNew = false): CompletionWatch {
    return new CompletionWatch(execution, this.bus, this.executions, this.shutdown.signal, isNew);
  }
}

export class CompletionWatch {
  private current: Execution;
  private hasGap = false;
  private done: () => void = () => undefined;
  private isReached: (execution: Execution) => boolean = hasEnded;
  /**
   * Batches that arrived before the wait began; null after its start. The start of the wait reads these batches. If the
   * execution ends in its first commit, no wait begins, and no batch is read.
   */
  private earlyBatches: Batch[] | null = [];
  private readonly unsubscribe: () => void;

  constructor(
    execution: Execution,
    bus: EventBus,
    private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
    private readonly shutdownSignal: AbortSignal,
    isNew: boolean,
  ) {
    this.current = execution;
    this.unsubscribe = bus.subscribeTo(
      execution.id,
      (batch) => (this.earlyBatches === null ? this.follow(batch) : void this.earlyBatches.push(batch)),
      execution.progress.lastSequence,
      isNew,
    );
  }

  /** Stops collecting events. The caller must always call `stop` when it is done, even after an error. */
  stop(): void {
    this.unsubscribe();
    // V8 may keep a stopped watch in memory for a while. If the watch still had its batches, each garbage collection of
    // the young generation would copy all events of the execution.
    this.earlyBatches = null;
  }

  /**
   * Waits until the execution ends, the time limit is reached, or the process shuts down.
   *
   * @param ms maximum wait in milliseconds
   * @param signal ends the wait early, for example because the client disconnected
   * @returns the execution with its state at the end of the wait
   */
  async ended(ms: number, signal: AbortSignal): Promise<Execution> {
    return this.reached(hasEnded, ms, signal);
  }

  /**
   * Waits until a condition is true, the execution ends, or the time limit is reached.
   *
   * @param ms maximum wait in milliseconds
   */
  async reached(
    condition: (execution: Execution) => boolean,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Execution> {
    this.isReached = (execution) => hasEnded(execution) || condition(execution);
    for (const batch of this.earlyBatches ?? []) this.follow(batch);
    this.earlyBatches = null;
    if (!this.isReached(this.current)) await this.waitForCondition(ms, signal);
    const isWhole = !this.hasGap && hasEnded(this.current);
    return isWhole ? this.current : ((await this.executions.findWhole(this.current.id)) ?? this.current);
  }

  private waitForCondition(ms: number, signal?: AbortSignal): Promise<void> {
    const signals = signal === undefined ? [this.shutdownSignal] : [this.shutdownSignal, signal];
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        for (const one of signals) one.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.done = finish;
      for (const one of signals) one.addEventListener('abort', finish, { once: true });
      if (signals.some(({ aborted }) => aborted)) finish();
    });
  }

  private follow(batch: Batch): void {
    const known = this.current.progress.lastSequence;
    const fresh = batch.events.slice(Math.max(0, known + 1 - batch.firstSequence));
    if (batch.firstSequence > known + 1) this.hasGap = true;
    // If a long output is stored separately, the event does not contain the output. If only a newer version
    // of the service knows the type of an event, the event is ignored. In both cases, the wait reads the row
    // of the execution.
    const read = fresh.filter(isKnown);
    if (read.some(({ data }) => 'output_truncated' in data) || read.length < fresh.length) this.hasGap = true;
    const progress = {
      ...progressAfter(this.current.progress, read),
      lastSequence: this.current.progress.lastSequence + fresh.length,
    };
    this.current = { ...this.current, progress };
    if (this.isReached(this.current)) this.done();
  }
}
