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

/** A subscription to the batches of some projects, by position. */
export interface ProjectSubscription {
  /** Sets the projects. Batches of an added project follow from the current position of the bus. */
  follow(projectIds: Iterable<string>): void;
  leave(): void;
}

interface Subscriber {
  readonly listener: BatchListener;
  /** Null for the batches of all projects. */
  projectIds: ReadonlySet<string> | null;
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
  private readonly subscribers = new Set<Subscriber>();
  private last = 0;
  private additions = 0;
  /** Listeners that `onReached` calls when the bus moves to their position. */
  private readonly waits = new Map<() => void, number>();
  private readonly byExecution = new Map<string, Watch>();

  /**
   * Subscribes to the batches of all projects, by position.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: BatchListener): () => void {
    const subscriber: Subscriber = { listener, projectIds: null };
    this.subscribers.add(subscriber);
    this.additions += 1;
    return () => this.subscribers.delete(subscriber);
  }

  /** Subscribes to the batches of some projects, by position. At first, the subscription has no project. */
  subscribeToProjects(listener: BatchListener): ProjectSubscription {
    const subscriber: Subscriber = { listener, projectIds: new Set() };
    this.subscribers.add(subscriber);
    return {
      follow: (projectIds) => {
        const ids = [...projectIds];
        if (!ids.every((id) => receives(subscriber, id))) this.additions += 1;
        subscriber.projectIds = new Set(ids);
      },
      leave: () => this.subscribers.delete(subscriber),
    };
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
    return this.subscribers.size > 0;
  }

  /** Projects with a subscriber. Null if a subscriber receives the batches of all projects. */
  get projectIds(): ReadonlySet<string> | null {
    const followed = new Set<string>();
    for (const { projectIds } of this.subscribers) {
      if (projectIds === null) return null;
      for (const id of projectIds) followed.add(id);
    }
    return followed;
  }

  /** A counter that grows when a subscription adds projects. */
  get additionsOfProjects(): number {
    return this.additions;
  }

  /** Whether a subscriber receives the batches of all projects. */
  get followsEveryProject(): boolean {
    return [...this.subscribers].some(({ projectIds }) => projectIds === null);
  }

  follows(projectId: string): boolean {
    return [...this.subscribers].some((subscriber) => receives(subscriber, projectId));
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

  /** Moves the bus forward to a position. Subscribers receive no further batch up to that position. */
  advance(position: number): void {
    if (position <= this.last) return;
    this.last = position;
    for (const [listener, wanted] of this.waits) if (wanted <= position) listener();
  }

  /**
   * Calls a listener each time when the bus moves to a position at or after the given position.
   *
   * @returns a function that removes the listener
   */
  onReached(position: number, listener: () => void): () => void {
    this.waits.set(listener, position);
    return () => this.waits.delete(listener);
  }

  /** Whether a listener of `onReached` waits. */
  get isPositionAwaited(): boolean {
    return this.waits.size > 0;
  }

  publish(batch: Batch): void {
    // The position advances before the delivery, so that a concurrent read of the journal includes this
    // batch.
    this.advance(batch.position);
    for (const subscriber of this.subscribers)
      if (receives(subscriber, batch.projectId)) this.call(subscriber.listener, batch);
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

function receives({ projectIds }: Subscriber, projectId: string): boolean {
  return projectIds === null || projectIds.has(projectId);
}
