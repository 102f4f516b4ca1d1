import type { WorkflowEvent } from '../../api/index.ts';
import { fold, INITIAL_RUN_STATE, type RunState } from './run-state.ts';

/** The events of an execution that the page has received so far. Their sequence numbers have no gaps. */
export interface JournalView {
  readonly events: readonly WorkflowEvent[];
  /** State of the execution after the last event in `events`. */
  readonly state: RunState;
  /** Whether the page has received all events that existed when the page was opened. */
  readonly isRead: boolean;
  readonly error: unknown;
}

const EMPTY: JournalView = { events: [], state: INITIAL_RUN_STATE, isRead: false, error: null };

interface JournalSource {
  /**
   * Streams the events after the sequence number `after`, up to and including the sequence number `upTo`, in
   * order.
   */
  readonly readUpTo: (
    after: number,
    upTo: number,
    take: (events: readonly WorkflowEvent[]) => void,
  ) => Promise<void>;
  /**
   * Reads one page of events after the sequence number `after`, in order. A page with fewer than `pageSize`
   * events is the last page.
   */
  readonly readPage: (after: number) => Promise<readonly WorkflowEvent[]>;
  readonly pageSize: number;
  readonly schedule: (show: () => void) => void;
}

/**
 * The journal of one execution, merged from pages over HTTP and events over the WebSocket. The class drops duplicates
 * and fetches missing events.
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

  take(event: WorkflowEvent): void {
    this.add(event);
    if (this.early.size > 0) void this.catchUp(event.sequence);
  }

  /**
   * Fetches the missing events of the journal.
   * @param upTo last known sequence number; if more than one page of events is missing, one stream reads them
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
        this.view = { ...this.view, isRead: true, error: null };
      } while (this.again);
    } catch (error) {
      this.view = { ...this.view, error };
    } finally {
      this.reading = false;
      this.show();
    }
  }

  private async readOn(): Promise<void> {
    // The first request reads only one page, so that the user sees events before a long journal is complete.
    if (this.events.length === 0 && !(await this.readNextPage())) return;
    if (this.known - this.events.length > this.source.pageSize)
      try {
        await this.source.readUpTo(this.events.length, this.known, (events) => {
          for (const event of events) this.add(event);
        });
      } catch {
        // A failed stream is not an error, because some proxies buffer or cut streams. The remaining events are read
        // page by page.
      }
    while (await this.readNextPage());
  }

  /** @returns whether there may be more events */
  private async readNextPage(): Promise<boolean> {
    const page = await this.source.readPage(this.events.length);
    for (const event of page) this.add(event);
    return page.length === this.source.pageSize;
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
