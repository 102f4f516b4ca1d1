import { Injectable } from '@nestjs/common';
import { isKnown } from '../engine/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { type Execution, hasEnded, progressAfter } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';

/** Lets a request wait for an execution's end by listening to the bus: nothing is asked again and again. */
@Injectable()
export class Completion {
  constructor(
    private readonly bus: EventBus,
    private readonly executions: ExecutionRepository,
  ) {}

  /**
   * Begins to listen; call it before the execution is written, so that no event is missed.
   * @param execution as it is about to be written, or was read
   */
  watch(execution: Execution): CompletionWatch {
    return new CompletionWatch(execution, this.bus, this.executions);
  }
}

/** One wait. It follows the execution's read model from the events themselves. */
export class CompletionWatch {
  private current: Execution;
  private gap = false;
  private done: () => void = () => undefined;
  private isReached: (execution: Execution) => boolean = hasEnded;
  /** Ends the listening; to be called in the end, whatever happened. */
  readonly stop: () => void;

  constructor(
    execution: Execution,
    bus: EventBus,
    private readonly executions: ExecutionRepository,
  ) {
    this.current = execution;
    this.stop = bus.subscribeTo(execution.id, (batch) => this.follow(batch));
  }

  /**
   * Resolves to the execution when it has ended, or as it is after a time.
   * @param ms longest wait, in milliseconds
   * @param signal ends the wait early: the caller has gone
   */
  async ended(ms: number, signal: AbortSignal): Promise<Execution> {
    return this.reached(hasEnded, ms, signal);
  }

  /** Resolves to the execution when a condition holds or it has ended, or as it is after a time. */
  async reached(
    condition: (execution: Execution) => boolean,
    ms: number,
    signal?: AbortSignal,
  ): Promise<Execution> {
    this.isReached = (execution) => hasEnded(execution) || condition(execution);
    if (!this.isReached(this.current)) await this.event(ms, signal);
    const isWhole = !this.gap && hasEnded(this.current);
    return isWhole ? this.current : ((await this.executions.findWhole(this.current.id)) ?? this.current);
  }

  private event(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', this.done);
        resolve();
      };
      signal?.addEventListener('abort', this.done, { once: true });
      if (signal?.aborted === true) this.done();
    });
  }

  private follow(batch: Batch): void {
    const known = this.current.progress.lastSequence;
    const fresh = batch.events.slice(Math.max(0, known + 1 - batch.firstSequence));
    if (batch.firstSequence > known + 1) this.gap = true;
    // A value too long for its event is not in it, and some newer service's may say anything: the row is read instead.
    const read = fresh.filter(isKnown);
    if (read.some(({ data }) => 'output_truncated' in data) || read.length < fresh.length) this.gap = true;
    const progress = {
      ...progressAfter(this.current.progress, read),
      lastSequence: this.current.progress.lastSequence + fresh.length,
    };
    this.current = { ...this.current, progress };
    if (this.isReached(this.current)) this.done();
  }
}
