import { Inject, Injectable } from '@nestjs/common';
import type { Message } from '../engine/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Notifications, type Write, Writer } from '../storage/index.js';
import { MessageRepository, type StoredMessage } from './message.repository.js';

/** The parts of this process that run executions. */
export interface Runners {
  /** Called when an execution became runnable. */
  wake(): void;
  /** Called when an execution that this process may be running got a message. */
  nudge(executionId: string): void;
  /** Called when an execution that this process may be running was cancelled. */
  stop(executionId: string): void;
  /** Called when another process may have sent messages to executions that this process runs. */
  checkInboxes(): void;
  /** Called when another process may have cancelled executions that this process runs. */
  checkCancelled(): void;
}

/** The database operations on messages. */
export type MessageStore = Pick<
  MessageRepository,
  'insert' | 'makeRunnable' | 'list' | 'load' | 'hasUnseen' | 'empty'
>;

/** Notification topic: a process sent a message to an execution. */
const TOPIC = 'workflow_inboxes';

/**
 * Notification topic: an execution was cancelled. If a lease holder misses the notification, it notices the
 * cancellation at its next write or heartbeat.
 */
const CANCELLED_TOPIC = 'workflow_cancellations';

/**
 * Delivers messages to executions. Only the lease holder writes an execution's journal. Any other process stores a
 * message in the inbox and wakes the execution. A message is durable before any process is notified.
 */
@Injectable()
export class Inbox {
  private runners: Runners = {
    wake: () => undefined,
    nudge: () => undefined,
    stop: () => undefined,
    checkInboxes: () => undefined,
    checkCancelled: () => undefined,
  };

  constructor(
    @Inject(MessageRepository) private readonly messages: MessageStore,
    @Inject(Writer) private readonly writer: Pick<Writer, 'commit'>,
    @Inject(Notifications) private readonly notices: Pick<Notifications, 'listen' | 'notify'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Connects the runners of this process. Called once at startup. */
  async connect(runners: Runners): Promise<void> {
    this.runners = runners;
    await this.notices.listen(TOPIC, () => runners.checkInboxes());
    await this.notices.listen(CANCELLED_TOPIC, () => runners.checkCancelled());
  }

  /**
   * Stores a message in an inbox and wakes the execution. Resolves when the message is durable.
   * @param commit further writes of the same commit, and the error if the wait already has a message
   */
  async deliver(
    executionId: string,
    message: Message,
    commit: { readonly also?: readonly Write[]; readonly onDuplicate?: () => Error } = {},
  ): Promise<void> {
    const { also = [], onDuplicate } = commit;
    const insert = this.messages.insert(executionId, message, isoTime(this.clock.now()));
    const guarded = onDuplicate === undefined ? insert : { ...insert, onDuplicate };
    await this.writer.commit({ writes: [...also, guarded] });
    await this.wake(executionId);
  }

  /**
   * Ensures that the execution reads a stored message. The wake is a later commit than the message. An execution that
   * suspends between both commits has either read the message or released its lease, so that this commit wakes it.
   */
  async wake(executionId: string): Promise<void> {
    const runnable = this.messages.makeRunnable(executionId, isoTime(this.clock.now()));
    await this.writer.commit({ writes: [runnable] });
    void this.notices.notify(TOPIC);
    this.runners.wake();
    this.runners.nudge(executionId);
  }

  /** Notifies all processes that an execution was cancelled. The process that held its lease must stop the run. */
  notifyCancelled(executionId: string): void {
    void this.notices.notify(CANCELLED_TOPIC);
    this.runners.stop(executionId);
  }

  /** Announces that executions without a lease were written. */
  notifyRunnable(): void {
    this.runners.wake();
  }

  /** The messages of an inbox, in order of arrival. */
  read(executionId: string): Promise<readonly StoredMessage[]> {
    return this.messages.list(executionId);
  }

  /** Number of messages in an inbox, and of characters in their payloads. */
  load(executionId: string): Promise<{ readonly count: number; readonly characters: number }> {
    return this.messages.load(executionId);
  }

  /** Wakes an execution that has just suspended, if a message arrived before the suspension. */
  async wakeIfUnseen(executionId: string): Promise<void> {
    if (await this.messages.hasUnseen(executionId)) await this.wake(executionId);
  }

  /** The write that empties an inbox. The commit that ends an execution includes it. */
  empty(executionId: string): Write {
    return this.messages.empty(executionId);
  }
}
