import type { Decision, Message } from '../../engine/index.js';
import type { Write } from '../../storage/index.js';
import { type Inbox, deleteMessage, markSeen, type StoredMessage } from '../../inbox/index.js';

/** The inbox of one execution as its run knows it. It costs nothing where there never is a message. */
export class RunInbox {
  /** Not taken up yet, in the order in which they came. */
  private open: readonly Message[] = [];
  private unseen: readonly string[] = [];
  /** Taken up by events that are not durable yet. */
  private consumed: readonly string[] = [];
  private wasUsed = false;

  constructor(
    private readonly executionId: string,
    private readonly inbox: Pick<Inbox, 'read' | 'empty'>,
    stored: readonly StoredMessage[],
  ) {
    this.take(stored);
  }

  get messages(): readonly Message[] {
    return this.open;
  }

  /** Reads what came since. */
  async refresh(): Promise<void> {
    this.take(await this.inbox.read(this.executionId));
  }

  consume(done: Decision['consumed']): void {
    if (done.length === 0) return;
    const ids = new Set(done.map(({ id }) => id));
    this.open = this.open.filter(({ id }) => !ids.has(id));
    this.unseen = this.unseen.filter((id) => !ids.has(id));
    this.consumed = [...this.consumed, ...ids];
  }

  /**
   * What the next commit does to the inbox: what was taken up goes, what was not is no longer news.
   * @param hasEnded everything goes
   */
  writes(hasEnded: boolean, now: string): readonly Write[] {
    if (!this.wasUsed) return [];
    const { consumed, unseen } = this;
    this.consumed = [];
    this.unseen = [];
    if (hasEnded) return [this.inbox.empty(this.executionId)];
    return [...consumed.map(deleteMessage), ...unseen.map((id) => markSeen(id, now))];
  }

  private take(stored: readonly StoredMessage[]): void {
    if (stored.length === 0) return;
    this.wasUsed = true;
    const fresh = stored.filter(({ message }) => !this.consumed.includes(message.id));
    this.open = fresh.map(({ message }) => message);
    this.unseen = fresh.filter(({ isSeen }) => !isSeen).map(({ message }) => message.id);
  }
}
