import { Inject, Injectable } from '@nestjs/common';
import type { Message } from '../engine/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { Notices, type Write, Writer } from '../storage/index.js';
import { MessageRepository, type StoredMessage } from './message.repository.js';

/** Whoever runs executions in this process. */
export interface Runners {
  /** Something became runnable. */
  wake(): void;
  /** An execution that may run here got a message. */
  nudge(executionId: string): void;
  /** An execution that may run here was cancelled. */
  stop(executionId: string): void;
  /** Another process may have put messages into inboxes of executions that run here. */
  look(): void;
  /** Another process may have cancelled executions that run here. */
  lookForCancelled(): void;
}

/** Where messages are kept. */
export type MessageStore = Pick<
  MessageRepository,
  'insert' | 'makeRunnable' | 'list' | 'load' | 'hasUnseen' | 'empty'
>;

/** Notified when a process puts a message into an inbox. */
const TOPIC = 'workflow_inboxes';

/** Notified of cancellations. A holder that misses one learns of it by its next write or heartbeat. */
const CANCELLED_TOPIC = 'workflow_cancellations';

/**
 * What executions are told. Only the holder of an execution writes its journal; anybody else puts a message into
 * its inbox and wakes it. The message is durable before anybody is told of it.
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
    @Inject(Notices) private readonly notices: Pick<Notices, 'listen' | 'tell'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Called once, by what puts the parts of a process together. */
  async connect(runners: Runners): Promise<void> {
    this.runners = runners;
    await this.notices.listen(TOPIC, () => runners.look());
    await this.notices.listen(CANCELLED_TOPIC, () => runners.lookForCancelled());
  }

  /**
   * Puts a message into an inbox and wakes the execution. Resolves when the message is durable.
   * @param commit further writes of the same commit, and what is thrown where the one wait that the message is
   * meant for was sent one before
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
   * Sees to it that what lies in an inbox is read. A commit of its own, after that of the message: a holder that
   * goes to sleep in between either finds the message or has let go of the lease.
   */
  async wake(executionId: string): Promise<void> {
    const runnable = this.messages.makeRunnable(executionId, isoTime(this.clock.now()));
    await this.writer.commit({ writes: [runnable] });
    void this.notices.tell(TOPIC);
    this.runners.wake();
    this.runners.nudge(executionId);
  }

  /** An execution was cancelled while somebody held it: whoever that is has lost its lease. */
  tellOfCancelled(executionId: string): void {
    void this.notices.tell(CANCELLED_TOPIC);
    this.runners.stop(executionId);
  }

  /** Executions were written that nobody holds. */
  tellOfRunnable(): void {
    this.runners.wake();
  }

  /** What lies in an inbox, in the order in which it came. */
  read(executionId: string): Promise<readonly StoredMessage[]> {
    return this.messages.list(executionId);
  }

  /** Messages that lie in an inbox and the characters of their payloads. */
  load(executionId: string): Promise<{ readonly count: number; readonly characters: number }> {
    return this.messages.load(executionId);
  }

  /** For a run that went to sleep: what came in its last moment was nobody's to wake it for. */
  async wakeIfUnseen(executionId: string): Promise<void> {
    if (await this.messages.hasUnseen(executionId)) await this.wake(executionId);
  }

  /** The write that empties an inbox, for the commit of an execution's end. */
  empty(executionId: string): Write {
    return this.messages.empty(executionId);
  }
}
