import { Injectable, Logger } from '@nestjs/common';
import { type Batch, lastSequence } from './batch.js';
import type { AwaitedEvents } from './journal.repository.js';

export type BatchListener = (batch: Batch) => void;

interface Watch {
  readonly listeners: Set<BatchListener>;
  after: number;
  /** Whether this process runs the execution, so that all new events are its own commits. */
  isLocal: boolean;
}

/** Event types after which any process may continue the execution. */
const FREE: ReadonlySet<string> = new Set(['workflow.queued', 'workflow.waiting', 'workflow.paused']);

/**
 * The event bus of a process. `publish` delivers every batch by position. `announce` delivers events of one execution
 * earlier, because their listeners need no common order.
 */
@Injectable()
export class EventBus {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners = new Set<BatchListener>();
  private last = 0;
  private readonly byExecution = new Map<string, Watch>();

  /**
   * Subscribes to all batches by position. Without subscribers, the journal is not read.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: BatchListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Subscribes to the batches of one execution. A batch may arrive twice.
   *
   * @param after sequence of the last event that the listener has
   * @param isNew true if this process is about to create the execution
   * @returns a function that unsubscribes
   */
  subscribeTo(executionId: string, listener: BatchListener, after = 0, isNew = false): () => void {
    const watch = this.byExecution.get(executionId) ?? { listeners: new Set(), after, isLocal: isNew };
    watch.after = Math.min(watch.after, after);
    watch.listeners.add(listener);
    this.byExecution.set(executionId, watch);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size === 0 && this.byExecution.get(executionId) === watch)
        this.byExecution.delete(executionId);
    };
  }

  get hasSubscribers(): boolean {
    return this.listeners.size > 0;
  }

  /**
   * Executions with a listener.
   *
   * @param isLocal whether to include executions that this process runs
   */
  awaited(isLocal: boolean): readonly AwaitedEvents[] {
    const awaited: AwaitedEvents[] = [];
    for (const [executionId, watch] of this.byExecution)
      if (isLocal || !watch.isLocal) awaited.push({ executionId, after: watch.after });
    return awaited;
  }

  /** Position of the last published batch. At startup, the end of the journal. */
  get position(): number {
    return this.last;
  }

  begin(position: number): void {
    this.last = Math.max(this.last, position);
  }

  publish(batch: Batch): void {
    // The position advances first, so that a concurrent journal read includes this batch.
    this.last = Math.max(this.last, batch.position);
    for (const listener of this.listeners) this.call(listener, batch);
    this.announce(batch);
  }

  /**
   * Delivers a batch only to the listeners of its execution.
   *
   * @param isLocal whether this process committed the batch; undefined if unknown
   */
  announce(batch: Batch, isLocal?: boolean): void {
    const watch = this.byExecution.get(batch.executionId);
    if (watch === undefined) return;
    watch.after = Math.max(watch.after, lastSequence(batch));
    if (isLocal !== undefined) watch.isLocal = isLocal && !FREE.has(batch.events.at(-1)?.type ?? '');
    for (const listener of [...watch.listeners]) this.call(listener, batch);
  }

  private call(listener: BatchListener, batch: Batch): void {
    try {
      listener(batch);
    } catch (error) {
      this.logger.error(
        {
          err: error,
          execution_id: batch.executionId,
          workflow_id: batch.workflowId,
          ...(batch.traceId === undefined ? {} : { trace_id: batch.traceId }),
        },
        'A listener of the event bus failed.',
      );
    }
  }
}
