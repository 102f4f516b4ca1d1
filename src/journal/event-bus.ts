import { Injectable, Logger } from '@nestjs/common';
import type { Batch } from './batch.js';

export type BatchListener = (batch: Batch) => void;

/**
 * The in-process event bus. What executors append is published here right after its commit, in the order of
 * the commits; the socket gateway, SSE, webhooks and waiting requests listen. A listener must be quick and
 * keeps its own queue; one that throws harms no other.
 */
@Injectable()
export class EventBus {
  private readonly logger = new Logger(EventBus.name);
  private readonly listeners = new Set<BatchListener>();
  private last = 0;
  private readonly byExecution = new Map<string, Set<BatchListener>>();

  /** Hears every batch. Returns the way to stop. */
  subscribe(listener: BatchListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Hears the batches of one execution. Returns the way to stop. */
  subscribeTo(executionId: string, listener: BatchListener): () => void {
    const listeners = this.byExecution.get(executionId) ?? new Set();
    this.byExecution.set(executionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.byExecution.get(executionId) === listeners)
        this.byExecution.delete(executionId);
    };
  }

  /** Position of the last batch that was published here, or is older than this process. */
  get position(): number {
    return this.last;
  }

  /** Tells where the journal was when this process began to follow it. */
  begin(position: number): void {
    this.last = Math.max(this.last, position);
  }

  publish(batch: Batch): void {
    // Before anybody is told: who reads the journal now reads up to here, with what the others are about to hear.
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
