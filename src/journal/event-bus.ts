import { Injectable, Logger } from '@nestjs/common';
import type { Batch } from './batch.js';

export type BatchListener = (batch: Batch) => void;

/**
 * The in-process event bus. It publishes batches right after their commit, in commit order. Listeners are the socket
 * gateway, SSE, webhooks and waiting requests. A listener must return quickly and queue its own work. An error in one
 * listener does not affect the others.
 */
@Injectable()
export class EventBus {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners = new Set<BatchListener>();
  private last = 0;
  private readonly byExecution = new Map<string, Set<BatchListener>>();

  /** Subscribes to all batches. Returns the unsubscribe function. */
  subscribe(listener: BatchListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Subscribes to the batches of one execution. Returns the unsubscribe function. */
  subscribeTo(executionId: string, listener: BatchListener): () => void {
    const listeners = this.byExecution.get(executionId) ?? new Set();
    this.byExecution.set(executionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.byExecution.get(executionId) === listeners)
        this.byExecution.delete(executionId);
    };
  }

  /** Position of the last batch published here, or of the journal's end when this process started. */
  get position(): number {
    return this.last;
  }

  /** Sets the position of the journal when this process started to follow it. */
  begin(position: number): void {
    this.last = Math.max(this.last, position);
  }

  publish(batch: Batch): void {
    // Advance before notifying, so that a concurrent journal read includes this batch.
    this.last = Math.max(this.last, batch.position);
    for (const listener of this.listeners) this.tell(listener, batch);
    const own = this.byExecution.get(batch.executionId);
    if (own !== undefined) for (const listener of [...own]) this.tell(listener, batch);
  }

  private tell(listener: BatchListener, batch: Batch): void {
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
