import type { WorkflowEvent } from '../../api/index.ts';

/** Rows that are kept. */
const MOST_EVENTS = 300;
/** Runs whose last number is remembered. */
const MOST_RUNS = 5_000;

export interface TailSnapshot {
  /** The newest first. */
  readonly events: readonly WorkflowEvent[];
  readonly received: number;
  readonly runs: number;
  /** Numbers that a run left out: none, unless something was lost. */
  readonly gaps: number;
}

/** The last events, and whether the numbers of each run follow each other without a gap. */
export class Tail {
  private events: readonly WorkflowEvent[] = [];
  private received = 0;
  private gaps = 0;
  private runs = 0;
  private readonly last = new Map<string, number>();

  /** @returns false for one that came before */
  take(event: WorkflowEvent): boolean {
    const before = this.last.get(event.execution_id);
    if (before !== undefined && event.sequence <= before) return false;
    if (before === undefined) this.runs += 1;
    else this.gaps += event.sequence - before - 1;
    // Set anew, so that the run which was silent for longest is the first of the map.
    this.last.delete(event.execution_id);
    this.last.set(event.execution_id, event.sequence);
    const [oldest] = this.last.keys();
    if (this.last.size > MOST_RUNS && oldest !== undefined) this.last.delete(oldest);
    this.received += 1;
    return true;
  }

  /** Puts events that were taken on top of the list. */
  show(arrived: readonly WorkflowEvent[]): void {
    this.events = [...arrived.toReversed(), ...this.events].slice(0, MOST_EVENTS);
  }

  read(): TailSnapshot {
    return { events: this.events, received: this.received, runs: this.runs, gaps: this.gaps };
  }
}
