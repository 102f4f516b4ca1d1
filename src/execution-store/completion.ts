import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isKnown } from '../execution-events/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { type Execution, hasEnded, progressAfter } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';

/** Lets a request wait for an execution's end by listening to the bus: nothing is asked again and again. */
@Injectable()
export class Completion implements OnModuleDestroy {
  private readonly leaving = new AbortController();

  constructor(
    private readonly bus: EventBus,
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
  ) {
    // One listener each wait.
    setMaxListeners(0, this.leaving.signal);
  }

  /** Ends every wait, those that still come included: the process is ending. */
  onModuleDestroy(): void {
    this.leaving.abort();
  }

  /**
   * Begins to listen; call it before the execution is written, so that no event is missed.
   * @param execution as it is about to be written, or was read
   */
  watch(execution: Execution): CompletionWatch {
    return new CompletionWatch(execution, this.bus, this.executions, this.leaving.signal);
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
    private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
    private readonly leaving: AbortSignal,
  ) {
    this.current = execution;
    this.stop = bus.subscribeTo(execution.id, (batch) => this.follow(batch));
  }

  /**
   * Resolves to the execution when it has ended, or as it is after a time or when the process ends.
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
    const signals = signal === undefined ? [this.leaving] : [this.leaving, signal];
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
