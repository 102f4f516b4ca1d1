import type { WorkflowEvent } from '../../api/index.ts';

/** Maximum number of events in the list. */
const MOST_EVENTS = 300;
/** Maximum number of executions whose last sequence number is remembered to detect lost events. */
const MOST_RUNS = 5_000;

export interface TailSnapshot {
  readonly events: readonly WorkflowEvent[];
  readonly received: number;
  readonly runs: number;
  /**
   * Number of missing sequence numbers between received events of the same execution. A number above 0 means that
   * events were lost.
   */
  readonly gaps: number;
}

/** Collects the latest events of the live feed, and counts lost events. */
export class Tail {
  private events: readonly WorkflowEvent[] = [];
  private received = 0;
  private gaps = 0;
  private runs = 0;
  private readonly last = new Map<string, number>();

  /** @returns false for a duplicate event */
  take(event: WorkflowEvent): boolean {
    const before = this.last.get(event.execution_id);
    if (before !== undefined && event.sequence <= before) return false;
    if (before === undefined) this.runs += 1;
    else this.gaps += event.sequence - before - 1;
    // A map keeps the order of insertion. Deleting the entry before setting it moves the execution to the
    // end, so the first entry is the execution whose last event is oldest.
    this.last.delete(event.execution_id);
    this.last.set(event.execution_id, event.sequence);
    const [oldest] = this.last.keys();
    if (this.last.size > MOST_RUNS && oldest !== undefined) this.last.delete(oldest);
    this.received += 1;
    return true;
  }

  show(arrived: readonly WorkflowEvent[]): void {
    this.events = [...arrived.toReversed(), ...this.events].slice(0, MOST_EVENTS);
  }

  read(): TailSnapshot {
    return { events: this.events, received: this.received, runs: this.runs, gaps: this.gaps };
  }
}
