import { Inject, Injectable } from '@nestjs/common';
import type { Message } from '../engine/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Notifications, type Write, Writer } from '../storage/index.js';
import { MessageRepository, type StoredMessage } from './message.repository.js';

export interface Runners {
  wake(): void;
  /** Called when an execution in this process may have received a message. */
  nudge(executionId: string): void;
  /** Called when an execution in this process may have been cancelled. */
  stop(executionId: string): void;
  /** Called after a notification that another process stored messages. */
  checkInboxes(): void;
  /** Called after a notification that another process cancelled executions. */
  checkCancelled(): void;
}

export type MessageStore = Pick<
  MessageRepository,
  'insert' | 'makeRunnable' | 'list' | 'sizeOf' | 'hasUnseen' | 'empty'
>;

const TOPIC = 'workflow_inboxes';

/**
 * Notification topic for cancellations. If a notification is lost, the next write or heartbeat of the process detects
 * the cancellation.
 */
const CANCELLED_TOPIC = 'workflow_cancellations';

/** Delivers messages to executions. Each message is stored before its execution wakes. */
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
    @Inject(Notifications) private readonly notifications: Pick<Notifications, 'listen' | 'notify'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Registers the run loop and subscribes to notifications. Must be called once at startup. */
  async connect(runners: Runners): Promise<void> {
    this.runners = runners;
    await this.notifications.listen(TOPIC, () => runners.checkInboxes());
    await this.notifications.listen(CANCELLED_TOPIC, () => runners.checkCancelled());
  }

  /**
   * Stores a message and wakes the execution.
   *
   * @param commit further writes of the same commit, and the error to throw if a message for the same wait is already
   * stored
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
   * Wakes an execution after the commit of a message for the execution. No message is lost if the execution
   * is suspended at the same time. Either the execution has read the message, or its lease is released and a
   * process can claim the execution again.
   */
  async wake(executionId: string): Promise<void> {
    const runnable = this.messages.makeRunnable(executionId, isoTime(this.clock.now()));
    await this.writer.commit({ writes: [runnable] });
    void this.notifications.notify(TOPIC);
    this.runners.wake();
    this.runners.nudge(executionId);
  }

  notifyCancelled(executionId: string): void {
    void this.notifications.notify(CANCELLED_TOPIC);
    this.runners.stop(executionId);
  }

  /** Wakes the dispatcher of this process after new executions were committed. */
  notifyRunnable(): void {
    this.runners.wake();
  }

  read(executionId: string): Promise<readonly StoredMessage[]> {
    return this.messages.list(executionId);
  }

  sizeOf(executionId: string): Promise<{ readonly count: number; readonly characters: number }> {
    return this.messages.sizeOf(executionId);
  }

  /** Wakes a suspended execution if it has messages that the execution did not read before its suspension. */
  async wakeIfUnseen(executionId: string): Promise<void> {
    if (await this.messages.hasUnseen(executionId)) await this.wake(executionId);
  }

  empty(executionId: string): Write {
    return this.messages.empty(executionId);
  }
}
