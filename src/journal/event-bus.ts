import { Injectable, Logger } from '@nestjs/common';
import { type Batch, lastSequence } from './batch.js';
import { type BatchListener, callListener } from './batch-listener.js';
import type { AwaitedEvents } from './journal.repository.js';

interface Watch {
  listeners: readonly BatchListener[];
  after: number;
  /**
   * True while this process runs the execution. All new events of the execution then come from this process, so a
   * notification from another process causes no read.
   */
  isLocal: boolean;
}

/** A subscription to the batches of some projects, ordered by position. */
export interface ProjectSubscription {
  /**
   * Replaces the set of followed projects. The batches of an added project arrive from the current position of the bus
   * on.
   */
  follow(projectIds: Iterable<string>): void;
  leave(): void;
}

interface Subscriber {
  readonly listener: BatchListener;
  /** Projects whose batches the subscriber receives. Null if the subscriber receives the batches of all projects. */
  projectIds: ReadonlySet<string> | null;
}

/** Types of events after which any process may claim the execution. */
const CLAIMABLE_AFTER: ReadonlySet<string> = new Set([
  'workflow.queued',
  'workflow.waiting',
  'workflow.paused',
]);

/**
 * The event bus of a process. `publish` delivers every batch in the order of positions. `announce` delivers a
 * batch earlier, but only to the listeners of its execution. These listeners do not need the order of other
 * executions' batches.
 */
@Injectable()
export class EventBus {
  private readonly logger = new Logger(EventBus.name);
  private readonly subscribers = new Set<Subscriber>();
  private last = 0;
  private additions = 0;
  /** Listeners that wait until the bus reaches a position, with that position. */
  private readonly waits = new Map<() => void, number>();
  private readonly byExecution = new Map<string, Watch>();
  private onReader: () => void = () => undefined;

  /**
   * Subscribes to the batches of all projects, ordered by position.
   * @returns a function that unsubscribes
   */
  subscribe(listener: BatchListener): () => void {
    const subscriber: Subscriber = { listener, projectIds: null };
    this.subscribers.add(subscriber);
    this.additions += 1;
    this.onReader();
    return () => this.subscribers.delete(subscriber);
  }

  /**
   * Subscribes to the batches of some projects, ordered by position. The subscription follows no project until `follow`
   * is called.
   */
  subscribeToProjects(listener: BatchListener): ProjectSubscription {
    const subscriber: Subscriber = { listener, projectIds: new Set() };
    this.subscribers.add(subscriber);
    this.onReader();
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
   * Subscribes to the batches of one execution. The listener may receive a batch twice.
   * @param after sequence of the last event that the listener has
   * @param isNew true if this process is about to create the execution
   * @returns a function that unsubscribes
   */
  subscribeTo(executionId: string, listener: BatchListener, after = 0, isNew = false): () => void {
    const watch = this.byExecution.get(executionId) ?? { listeners: [], after, isLocal: isNew };
    watch.after = Math.min(watch.after, after);
    watch.listeners = [...watch.listeners, listener];
    this.byExecution.set(executionId, watch);
    if (!watch.isLocal) this.onReader();
    return () => {
      watch.listeners = watch.listeners.filter((other) => other !== listener);
      if (watch.listeners.length === 0 && this.byExecution.get(executionId) === watch)
        this.byExecution.delete(executionId);
    };
  }

  /**
   * Sets the function that is called when the bus gets a reader of other processes' commits: a subscriber, a listener
   * of an execution that another process may run, or a listener that waits for a position.
   */
  notifyOfReaders(listener: () => void): void {
    this.onReader = listener;
  }

  /** Whether the bus has a reader of other processes' commits. See `notifyOfReaders`. */
  get hasReaders(): boolean {
    return this.hasSubscribers || this.isPositionAwaited || this.awaited(false).length > 0;
  }

  get hasSubscribers(): boolean {
    return this.subscribers.size > 0;
  }

  /** Ids of the projects that have a subscriber. Null if a subscriber receives the batches of all projects. */
  get projectIds(): ReadonlySet<string> | null {
    const followed = new Set<string>();
    for (const { projectIds } of this.subscribers) {
      if (projectIds === null) return null;
      for (const id of projectIds) followed.add(id);
    }
    return followed;
  }

  /**
   * Counter that increases whenever a subscription adds projects. A reader of the journal compares the counter before
   * and after a read, to notice projects that were added meanwhile.
   */
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
   * Returns the executions that have a listener, and the sequence after which the events of each must be read.
   * @param isLocal whether to include executions that this process runs
   */
  awaited(isLocal: boolean): readonly AwaitedEvents[] {
    const awaited: AwaitedEvents[] = [];
    for (const [executionId, watch] of this.byExecution)
      if (isLocal || !watch.isLocal) awaited.push({ executionId, after: watch.after });
    return awaited;
  }

  /** Position up to which the bus has published all batches. At startup, the position is the end of the journal. */
  get position(): number {
    return this.last;
  }

  /**
   * Moves the position of the bus forward without delivering batches. Subscribers do not receive the batches in
   * between.
   */
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
    this.onReader();
    return () => this.waits.delete(listener);
  }

  /** Whether a listener waits until the bus reaches a position. */
  get isPositionAwaited(): boolean {
    return this.waits.size > 0;
  }

  publish(batch: Batch): void {
    // The position advances before the delivery. A subscriber that reads the journal up to the position therefore finds
    // this batch.
    this.advance(batch.position);
    for (const subscriber of this.subscribers)
      if (receives(subscriber, batch.projectId)) callListener(subscriber.listener, batch, this.logger);
    this.announce(batch);
  }

  /**
   * Delivers a batch to the listeners of its execution, and to no subscriber of projects.
   * @param isLocal whether this process committed the batch; undefined if unknown
   */
  announce(batch: Batch, isLocal?: boolean): void {
    const watch = this.byExecution.get(batch.executionId);
    if (watch === undefined) return;
    watch.after = Math.max(watch.after, lastSequence(batch));
    if (isLocal !== undefined) {
      watch.isLocal = isLocal && !CLAIMABLE_AFTER.has(batch.events.at(-1)?.type ?? '');
      if (!watch.isLocal) this.onReader();
    }
    for (const listener of watch.listeners) callListener(listener, batch, this.logger);
  }
}

function receives({ projectIds }: Subscriber, projectId: string): boolean {
  return projectIds === null || projectIds.has(projectId);
}
