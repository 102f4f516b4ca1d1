import { type Batch, type Cursor, type FeedFilter, isAfter } from '../journal/index.js';
import type { EventFilter } from './wire.js';

/** A subscription of a client: a filter, and the projects whose events the client may read. */
export class Subscription {
  private readonly projects: Set<string>;
  private cursor: Cursor;

  /**
   * @param id chosen by the client; null for the events that a new connection receives without a subscription
   * @param projectIds projects whose events the subscription may contain
   * @param start cursor after which the subscription starts
   */
  constructor(
    readonly id: string | null,
    readonly filter: EventFilter,
    projectIds: Iterable<string>,
    private readonly start: Cursor,
  ) {
    this.projects = new Set(projectIds);
    this.cursor = start;
  }

  /** Cursor of the last event that was sent or skipped. Events from the event bus up to this cursor are ignored. */
  get seen(): Cursor {
    return this.cursor;
  }

  /**
   * True if the filter names no execution, workflow or session. Such a subscription also covers projects that are
   * created later.
   */
  get spansProjects(): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return executionId === undefined && workflowId === undefined && sessionId === undefined;
  }

  get projectIds(): readonly string[] {
    return [...this.projects];
  }

  /**
   * Topics under which the hub registers the client: the execution, session or workflow in the filter, or else all
   * projects of the client. Each topic is an id.
   */
  get topics(): readonly string[] {
    const narrowest = this.filter.executionId ?? this.filter.sessionId ?? this.filter.workflowId;
    return narrowest === undefined ? this.projectIds : [narrowest];
  }

  /**
   * Filter for journal reads. The event types of the subscription are not part of this filter, because events are
   * filtered by type only after the read.
   */
  get feedFilter(): FeedFilter {
    const { executionId, workflowId, sessionId } = this.filter;
    return {
      projectIds: this.projectIds,
      ...(executionId !== undefined && { executionId }),
      ...(workflowId !== undefined && { workflowId }),
      ...(sessionId !== undefined && { sessionId }),
    };
  }

  addProject(projectId: string): void {
    this.projects.add(projectId);
  }

  removeProject(projectId: string): void {
    this.projects.delete(projectId);
  }

  /**
   * Returns a copy of the subscription for other projects. The copy starts again at the first cursor of the
   * subscription.
   */
  ofProjects(projectIds: readonly string[]): Subscription {
    return new Subscription(this.id, this.filter, projectIds, this.start);
  }

  /** Whether a journal batch may contain events that match the subscription. */
  covers(batch: Batch): boolean {
    const { executionId, workflowId, sessionId } = this.filter;
    return (
      this.projects.has(batch.projectId) &&
      (executionId === undefined || executionId === batch.executionId) &&
      (workflowId === undefined || workflowId === batch.workflowId) &&
      (sessionId === undefined || sessionId === batch.sessionId)
    );
  }

  /**
   * Whether an event matches the subscription by its type and was not sent yet. For the batch of the event,
   * `covers` must be true.
   */
  wants(batch: Batch, index: number): boolean {
    const types: ReadonlySet<string> | undefined = this.filter.types;
    const type = batch.events[index]?.type;
    return (
      (types === undefined || (type !== undefined && types.has(type))) &&
      isAfter(this.cursor, batch.position, index)
    );
  }

  /** Moves the cursor of the subscription past all events up to a journal position. */
  advance(position: number): void {
    if (position >= this.cursor.position) this.cursor = { position, index: null };
  }
}
