import type { WorkflowEvent } from '../../api/index.ts';
import { fold, NOTHING, type RunState } from './run-state.ts';

/** What is known of a run's journal, without a gap from its first event on. */
export interface JournalView {
  readonly events: readonly WorkflowEvent[];
  /** What those events come to. */
  readonly state: RunState;
  /** Whether everything up to the moment of opening was read. */
  readonly isRead: boolean;
  readonly error: unknown;
}

const EMPTY: JournalView = { events: [], state: NOTHING, isRead: false, error: null };

interface JournalSource {
  /** Hands out the events after a sequence up to another as they come, whatever their number. */
  readonly readUpTo: (
    after: number,
    upTo: number,
    take: (events: readonly WorkflowEvent[]) => void,
  ) => Promise<void>;
  /** Events after a sequence, in order; fewer than a page where there are no more. */
  readonly readPage: (after: number) => Promise<readonly WorkflowEvent[]>;
  readonly pageSize: number;
  /** Calls later, once for all that comes until then: per animation frame. */
  readonly schedule: (show: () => void) => void;
}

/**
 * The journal of one run, put together from pages of REST and from the socket: by `sequence`, duplicates dropped,
 * what comes early held back, gaps read.
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

  /** Takes an event in, in whatever order they come. */
  take(event: WorkflowEvent): void {
    this.add(event);
    if (this.early.size > 0) void this.catchUp(event.sequence);
  }

  /**
   * Reads what it does not have yet: at first everything, later what a lost connection may have missed.
   * @param upTo the last sequence that is known to be there; what lies beyond a page is then read in one go
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
        // Some proxies hold streams back or cut them: the rest is read page by page.
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
