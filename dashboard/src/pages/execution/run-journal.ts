import type { WorkflowEvent } from '../../api/index.ts';
import { fold, NOTHING, type RunState } from './run-state.ts';

/** The known events of an execution, from the first one and without gaps. */
export interface JournalView {
  readonly events: readonly WorkflowEvent[];
  /** The state folded from all known events. */
  readonly state: RunState;
  /** Whether all events up to the opening of the page were read. */
  readonly isRead: boolean;
  readonly error: unknown;
}

const EMPTY: JournalView = { events: [], state: NOTHING, isRead: false, error: null };

interface JournalSource {
  /** Passes the events after a sequence, up to and including another sequence, to `take` as they arrive. */
  readonly readUpTo: (
    after: number,
    upTo: number,
    take: (events: readonly WorkflowEvent[]) => void,
  ) => Promise<void>;
  /** A page of events after a sequence, in order; shorter than `pageSize` if there are no more. */
  readonly readPage: (after: number) => Promise<readonly WorkflowEvent[]>;
  readonly pageSize: number;
  /** Defers a call and merges repeated calls, for example to one call per animation frame. */
  readonly schedule: (show: () => void) => void;
}

/**
 * The journal of one execution, merged from REST pages and the WebSocket. It orders events by `sequence`, drops
 * duplicates, buffers early events and fetches gaps.
 */
export class RunJournal {
  private view = EMPTY;
  private readonly events: WorkflowEvent[] = [];
  private readonly early = new Map<number, WorkflowEvent>();
  private reading = false;
  private again = false;
  private known = 0;
  private scheduled = false;
  private readonly listeners = new Set<() => void>();
  private readonly source: JournalSource;

  constructor(source: JournalSource) {
    this.source = source;
  }

  readonly read = (): JournalView => this.view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Adds an event; events may arrive in any order. */
  take(event: WorkflowEvent): void {
    this.add(event);
    if (this.early.size > 0) void this.catchUp(event.sequence);
  }

  /**
   * Fetches missing events. At first, all events are missing; later, only events after a lost connection.
   * @param upTo last known sequence. If more than one page of events is missing, they are read as one stream.
   */
  async catchUp(upTo = 0): Promise<void> {
    this.known = Math.max(this.known, upTo);
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    try {
      do {
        this.again = false;
        await this.readOn();
      } while (this.again);
      this.view = { ...this.view, isRead: true, error: null };
    } catch (error) {
      this.view = { ...this.view, error };
    } finally {
      this.reading = false;
      this.show();
    }
  }

  private async readOn(): Promise<void> {
    if (this.known - this.events.length > this.source.pageSize)
      try {
        await this.source.readUpTo(this.events.length, this.known, (events) => {
          for (const event of events) this.add(event);
        });
      } catch {
        // Some proxies buffer or cut streams, so the rest is read page by page.
      }
    for (;;) {
      const page = await this.source.readPage(this.events.length);
      for (const event of page) this.add(event);
      if (page.length < this.source.pageSize) return;
    }
  }

  private add(event: WorkflowEvent): void {
    if (event.sequence <= this.events.length) return;
    this.early.set(event.sequence, event);
    for (let next; (next = this.early.get(this.events.length + 1)) !== undefined;) {
      this.early.delete(next.sequence);
      this.events.push(next);
    }
    this.show();
  }

  private show(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.source.schedule(() => {
      this.scheduled = false;
      const { state } = this.view;
      if (this.events.length !== state.sequence)
        this.view = {
          ...this.view,
          events: [...this.events],
          state: fold(state, this.events.slice(state.sequence)),
        };
      for (const listener of this.listeners) listener();
    });
  }
}
