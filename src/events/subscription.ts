import { type Batch, type Cursor, type FeedFilter, isAfter } from '../journal/index.js';
import type { EventFilter } from './wire.js';

/** A reader's subscription: the events of some projects that match a filter. */
export class Subscription {
  private readonly reached: Set<string>;
  private reading: Cursor;

  /**
   * @param id chosen by the client; null for the events that a new connection receives without a subscription
   * @param projectIds projects whose events the subscription may contain
   * @param begin cursor after which the subscription starts
   */
  constructor(
    readonly id: string | null,
    readonly filter: EventFilter,
    projectIds: Iterable<string>,
    private readonly begin: Cursor,
  ) {
    this.reached = new Set(projectIds);
    this.reading = begin;
  }

  /** Cursor up to which events were sent or skipped. Batches from the event bus before this cursor are ignored. */
  get seen(): Cursor {
    return this.reading;
  }

  /**
   * True if the filter names no execution, workflow or session. The subscription then covers projects created later,
   * too.
   */
  get spansProjects(): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return executionId === undefined && workflowId === undefined && sessionId === undefined;
  }

  get projectIds(): readonly string[] {
    return [...this.reached];
  }

  /**
   * Ids under which the hub registers the reader: the execution, session or workflow of the filter, or else all
   * projects.
   */
  get topics(): readonly string[] {
    const narrowest = this.filter.executionId ?? this.filter.sessionId ?? this.filter.workflowId;
    return narrowest === undefined ? this.projectIds : [narrowest];
  }

  /** Filter for reads of the journal. Event types are filtered after the read. */
  get feedFilter(): FeedFilter {
    const { executionId, workflowId, sessionId } = this.filter;
    return {
      projectIds: this.projectIds,
      ...(executionId !== undefined && { executionId }),
      ...(workflowId !== undefined && { workflowId }),
      ...(sessionId !== undefined && { sessionId }),
    };
  }

  reach(projectId: string): void {
    this.reached.add(projectId);
  }

  lose(projectId: string): void {
    this.reached.delete(projectId);
  }

  /** A copy of the subscription for further projects, with its own cursor at the start of the subscription. */
  ofProjects(projectIds: readonly string[]): Subscription {
    return new Subscription(this.id, this.filter, projectIds, this.begin);
  }

  /** Whether a batch may contain matching events. */
  covers(batch: Batch): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return (
      this.reached.has(batch.projectId) &&
      (executionId === undefined || executionId === batch.executionId) &&
      (workflowId === undefined || workflowId === batch.workflowId) &&
      (sessionId === undefined || sessionId === batch.sessionId)
    );
  }

  /** Whether an event of a covered batch matches and was not sent yet. */
  wants(batch: Batch, index: number): boolean {
    const types: ReadonlySet<string> | undefined = this.filter.types;
    const type = batch.events[index]?.type;
    return (
      (types === undefined || (type !== undefined && types.has(type))) &&
      isAfter(this.reading, batch.position, index)
    );
  }

  /** Records that the journal was read up to a position. */
  advance(position: number): void {
    if (position >= this.reading.position) this.reading = { position, index: null };
  }
}
