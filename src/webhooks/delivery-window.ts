import type { Batch } from '../journal/index.js';

export interface PendingEvent {
  readonly batch: Batch;
  readonly index: number;
}

interface Lane {
  readonly events: PendingEvent[];
  isBusy: boolean;
}

/**
 * Orders the undelivered events of a webhook. The events of one execution are delivered one at a time, in parallel with
 * the events of other executions. After a failure, all further events of the execution wait for the retry.
 */
export class DeliveryWindow {
  private readonly lanes = new Map<string, Lane>();
  /** Ids of executions with an undelivered event and no delivery in progress, in the order they became ready. */
  private readonly ready = new Set<string>();
  /** Number of events that are neither delivered nor given up, by journal position. The lowest position comes first. */
  private readonly undecided = new Map<number, number>();
  /** For each execution that waits for a retry, the journal position up to which the retry must deliver events. */
  private readonly held = new Map<string, number>();
  private waiting = 0;

  /** @param readPosition every event up to this position is decided or held */
  constructor(private readPosition: number) {}

  get position(): number {
    return this.readPosition;
  }

  get size(): number {
    return this.waiting;
  }

  /**
   * Journal position up to which every event is delivered, given up or left to a retry. The cursor of the webhook is
   * set to this position.
   */
  get watermark(): number {
    for (const position of this.undecided.keys()) return position - 1;
    return this.readPosition;
  }

  /**
   * Adds the events of a batch to the undelivered events. Batches must be added in the order of their positions.
   * @param indexes indexes of the events that the webhook selects
   */
  accept(batch: Batch, indexes: readonly number[]): void {
    this.readPosition = batch.position;
    if (indexes.length === 0) return;
    const { executionId } = batch;
    if (this.held.has(executionId)) {
      this.held.set(executionId, batch.position);
      return;
    }
    const lane = this.lanes.get(executionId) ?? { events: [], isBusy: false };
    this.lanes.set(executionId, lane);
    for (const index of indexes) lane.events.push({ batch, index });
    this.undecided.set(batch.position, indexes.length);
    this.waiting += indexes.length;
    if (!lane.isBusy) this.ready.add(executionId);
  }

  /** Returns the next event to deliver; undefined if every execution with events already has a delivery in progress. */
  take(): PendingEvent | undefined {
    for (const executionId of this.ready) {
      this.ready.delete(executionId);
      const lane = this.lanes.get(executionId);
      const event = lane?.events[0];
      if (lane === undefined || event === undefined) continue;
      lane.isBusy = true;
      return event;
    }
    return undefined;
  }

  /** Records that an event that `take` returned was delivered or given up. */
  settle({ batch }: PendingEvent): void {
    const lane = this.lanes.get(batch.executionId);
    if (lane === undefined) return;
    lane.events.shift();
    lane.isBusy = false;
    this.decide(batch.position, 1);
    if (lane.events.length === 0) this.lanes.delete(batch.executionId);
    else this.ready.add(batch.executionId);
  }

  /**
   * Stops the delivery of an execution's events after a failure. A retry delivers these events.
   * @param position journal position of the failed event; may lie after the last read position, for a retry that was
   * stored before a restart
   */
  hold(executionId: string, position = this.readPosition): void {
    this.held.set(executionId, Math.max(position, this.readPosition));
    const lane = this.lanes.get(executionId);
    if (lane === undefined) return;
    for (const { batch } of lane.events) this.decide(batch.position, 1);
    this.lanes.delete(executionId);
    this.ready.delete(executionId);
  }

  /**
   * Resumes the delivery of an execution's new events, after a retry has delivered all events up to a position.
   * @returns false if later events were read during the retry; the retry must then deliver these events too
   */
  release(executionId: string, upTo: number): boolean {
    if ((this.held.get(executionId) ?? 0) > upTo) return false;
    this.held.delete(executionId);
    return true;
  }

  private decide(position: number, count: number): void {
    const left = (this.undecided.get(position) ?? 0) - count;
    if (left > 0) this.undecided.set(position, left);
    else this.undecided.delete(position);
    this.waiting -= count;
  }
}
