import { type Batch, type Cursor, type FeedFilter, isAfter } from '../journal/index.js';
import type { EventFilter } from './wire.js';

/** One wish of a reader: events of some projects that pass a filter. */
export class Subscription {
  private readonly reached: Set<string>;
  private reading: Cursor;

  /**
   * @param id the client's name for it; null for the feed that needs no asking
   * @param projectIds the projects whose events it may hold
   * @param begin everything up to it was seen before
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

  /** Everything up to here was seen, or read from the journal for it. What the bus brings of that is not for it. */
  get seen(): Cursor {
    return this.reading;
  }

  /** Whether it is for whole projects, so that a project which appears later belongs to it. */
  get spansProjects(): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return executionId === undefined && workflowId === undefined && sessionId === undefined;
  }

  get projectIds(): readonly string[] {
    return [...this.reached];
  }

  /** Ids that an event must name one of; what the hub looks readers up by. */
  get topics(): readonly string[] {
    const narrowest = this.filter.executionId ?? this.filter.sessionId ?? this.filter.workflowId;
    return narrowest === undefined ? this.projectIds : [narrowest];
  }

  /** The same limits for a reading of the journal. */
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

  /**
   * The same wish for more projects, with a memory of its own of what was read.
   * @param from the first position that has something of them
   */
  ofProjects(projectIds: readonly string[], from: number): Subscription {
    const begin = from > this.begin.position ? { position: from - 1, index: null } : this.begin;
    return new Subscription(this.id, this.filter, projectIds, begin);
  }

  /** Whether events of a batch may be for it. */
  covers(batch: Batch): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return (
      this.reached.has(batch.projectId) &&
      (executionId === undefined || executionId === batch.executionId) &&
      (workflowId === undefined || workflowId === batch.workflowId) &&
      (sessionId === undefined || sessionId === batch.sessionId)
    );
  }

  /** Whether the event at an index of a batch that it covers is for it and new to it. */
  wants(batch: Batch, index: number): boolean {
    const types: ReadonlySet<string> | undefined = this.filter.types;
    const type = batch.events[index]?.type;
    return (
      (types === undefined || (type !== undefined && types.has(type))) &&
      isAfter(this.reading, batch.position, index)
    );
  }

  /** Notes that everything up to a position was read from the journal. */
  advance(position: number): void {
    if (position >= this.reading.position) this.reading = { position, index: null };
  }
}
