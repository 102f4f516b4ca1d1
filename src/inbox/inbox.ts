import { Inject, Injectable } from '@nestjs/common';
import type { Message } from '../engine/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Notifications, type Write, Writer } from '../storage/index.js';
import { MessageRepository, type StoredMessage } from './message.repository.js';

/** The runner of executions in this process. */
export interface Runners {
  /** An execution became runnable. */
  wake(): void;
  /** An execution that may be running here got a message. */
  nudge(executionId: string): void;
  /** An execution that may be running here was cancelled. */
  stop(executionId: string): void;
  /** Another process may have sent messages to executions running here. */
  look(): void;
  /** Another process may have cancelled executions running here. */
  lookForCancelled(): void;
}

/** Stores messages. */
export type MessageStore = Pick<
  MessageRepository,
  'insert' | 'makeRunnable' | 'list' | 'load' | 'hasUnseen' | 'empty'
>;

/** Channel of notifications that a process sent a message. */
const TOPIC = 'workflow_inboxes';

/** Channel of notifications of cancellations. A lease holder that misses one notices at its next write or heartbeat. */
const CANCELLED_TOPIC = 'workflow_cancellations';

/**
 * Messages to executions. Only the lease holder writes an execution's journal; any other process puts a message into
 * its inbox and wakes it. A message is durable before anything is notified.
 */
@Injectable()
export class Inbox {
  private runners: Runners = {
    wake: () => undefined,
    nudge: () => undefined,
    stop: () => undefined,
    look: () => undefined,
    lookForCancelled: () => undefined,
  };

  constructor(
    @Inject(MessageRepository) private readonly messages: MessageStore,
    @Inject(Writer) private readonly writer: Pick<Writer, 'commit'>,
    @Inject(Notifications) private readonly notices: Pick<Notifications, 'listen' | 'notify'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Called once, where the process is composed. */
  async connect(runners: Runners): Promise<void> {
    this.runners = runners;
    await this.notices.listen(TOPIC, () => runners.look());
    await this.notices.listen(CANCELLED_TOPIC, () => runners.lookForCancelled());
  }

  /**
   * Puts a message into an inbox and wakes the execution. Resolves when the message is durable.
   * @param commit further writes of the same commit, and the error for a second message to the same wait
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
   * Makes sure that a message is read. A commit of its own, after that of the message: an execution that suspends in
   * between either finds the message or has released its lease.
   */
  async wake(executionId: string): Promise<void> {
    const runnable = this.messages.makeRunnable(executionId, isoTime(this.clock.now()));
    await this.writer.commit({ writes: [runnable] });
    void this.notices.notify(TOPIC);
    this.runners.wake();
    this.runners.nudge(executionId);
  }

  /** An execution was cancelled while a process held its lease: that process has lost it. */
  tellOfCancelled(executionId: string): void {
    void this.notices.notify(CANCELLED_TOPIC);
    this.runners.stop(executionId);
  }

  /** Executions without a lease were written. */
  tellOfRunnable(): void {
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

  /** For an execution that suspended: wakes it if a message arrived just before. */
  async wakeIfUnseen(executionId: string): Promise<void> {
    if (await this.messages.hasUnseen(executionId)) await this.wake(executionId);
  }

  /** The write that empties an inbox, for the commit of an execution's end. */
  empty(executionId: string): Write {
    return this.messages.empty(executionId);
  }
}
