import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isKnown } from '../execution-events/index.js';
import { type Batch, EventBus } from '../journal/index.js';
import { type Execution, hasEnded, progressAfter } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';

/** Lets a request wait for an execution's end. It listens to the event bus instead of polling the database. */
@Injectable()
export class Completion implements OnModuleDestroy {
  private readonly leaving = new AbortController();

  constructor(
    private readonly bus: EventBus,
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
  ) {
    // Each wait adds a listener, so their number is not limited.
    setMaxListeners(0, this.leaving.signal);
  }

  /** Ends every current and later wait, because the process shuts down. */
  onModuleDestroy(): void {
    this.leaving.abort();
  }

  /**
   * Starts to listen. Call it before the commit that creates the execution, so that no event is missed.
   * @param execution as read, or as it is about to be written
   */
  watch(execution: Execution): CompletionWatch {
    return new CompletionWatch(execution, this.bus, this.executions, this.leaving.signal);
  }
}

/** A single wait. It updates the execution's read model from its events. */
export class CompletionWatch {
  private current: Execution;
  private gap = false;
  private done: () => void = () => undefined;
  private isReached: (execution: Execution) => boolean = hasEnded;
  /** Stops listening. Always call it in the end, also after an error. */
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
   * Resolves to the execution when it has ended, when the wait times out, or when the process shuts down.
   * @param ms maximum wait in milliseconds
   * @param signal ends the wait early, for example because the client disconnected
   */
  async ended(ms: number, signal: AbortSignal): Promise<Execution> {
    return this.reached(hasEnded, ms, signal);
  }

  /** Resolves to the execution when a condition holds, when it has ended, or when the wait times out. */
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
    // Long values are not in the event, and events of a newer version may have unknown types. Then the row is read
    // instead.
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
