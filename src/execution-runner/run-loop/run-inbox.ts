import type { Decision, Message } from '../../engine/index.js';
import type { Write } from '../../storage/index.js';
import { type Inbox, deleteMessage, markSeen, type StoredMessage } from '../../inbox/index.js';

/**
 * The inbox of a running execution. Until a message arrives, `writes` returns no statements, so that most commits stay
 * small.
 */
export class RunInbox {
  /** Messages that no node has consumed yet, in the order of their arrival. */
  private unconsumed: readonly Message[] = [];
  private unseen: readonly string[] = [];
  /** Ids of consumed messages whose events are not committed yet. */
  private consumed: readonly string[] = [];
  private wasUsed = false;

  constructor(
    private readonly executionId: string,
    private readonly inbox: Pick<Inbox, 'read' | 'empty'>,
    stored: readonly StoredMessage[],
  ) {
    this.setMessages(stored);
  }

  get messages(): readonly Message[] {
    return this.unconsumed;
  }

  /** Reads all messages that the inbox of the execution contains now. */
  async refresh(): Promise<void> {
    this.setMessages(await this.inbox.read(this.executionId));
  }

  consume(done: Decision['consumed']): void {
    if (done.length === 0) return;
    const ids = new Set(done.map(({ id }) => id));
    this.unconsumed = this.unconsumed.filter(({ id }) => !ids.has(id));
    this.unseen = this.unseen.filter((id) => !ids.has(id));
    this.consumed = [...this.consumed, ...ids];
  }

  /**
   * Returns the writes for the next commit, which delete consumed messages and mark all others as seen.
   *
   * @param hasEnded true if the commit ends the execution; the writes then delete all messages
   */
  writes(hasEnded: boolean, now: string): readonly Write[] {
    if (!this.wasUsed) return [];
    const { consumed, unseen } = this;
    this.consumed = [];
    this.unseen = [];
    if (hasEnded) return [this.inbox.empty(this.executionId)];
    return [...consumed.map(deleteMessage), ...unseen.map((id) => markSeen(id, now))];
  }

  private setMessages(stored: readonly StoredMessage[]): void {
    if (stored.length === 0) return;
    this.wasUsed = true;
    const fresh = stored.filter(({ message }) => !this.consumed.includes(message.id));
    this.unconsumed = fresh.map(({ message }) => message);
    this.unseen = fresh.filter(({ isSeen }) => !isSeen).map(({ message }) => message.id);
  }
}
