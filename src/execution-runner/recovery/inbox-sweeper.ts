import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../../platform/index.ts';
import { HintCoalescer, Writer } from '../../storage/index.ts';
import { InProcessDispatcher } from '../dispatch/in-process.dispatcher.ts';
import { InstanceRegistry } from '../../instances/index.ts';
import { RunLoop } from '../run-loop/run-loop.ts';
import { Inbox, MessageRepository } from '../../inbox/index.ts';

/** Maximum number of executions that one sweep wakes. */
const PAGE = 500;

/**
 * Makes running executions in this process read new messages. At each heartbeat, also wakes suspended executions with
 * unread messages, because the sender may have crashed before it woke them.
 */
@Injectable()
export class InboxSweeper {
  private readonly logger = new Logger(InboxSweeper.name);
  private readonly messageHints = new HintCoalescer(() => this.nudgeRunsWithMessages());
  private readonly cancellationHints = new HintCoalescer(() => this.stopCancelled());

  constructor(
    private readonly inbox: Inbox,
    private readonly messages: MessageRepository,
    private readonly dispatcher: InProcessDispatcher,
    private readonly runLoop: RunLoop,
    private readonly instances: InstanceRegistry,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async connect(): Promise<void> {
    await this.inbox.connect({
      wake: () => this.dispatcher.wake(),
      nudge: (executionId) => this.runLoop.nudge(executionId),
      stop: (executionId) => this.runLoop.stop(executionId),
      checkInboxes: () => this.messageHints.notify(),
      checkCancelled: () => this.cancellationHints.notify(),
    });
  }

  /** Makes running executions in this process read messages that other processes have sent to them. */
  private async nudgeRunsWithMessages(): Promise<void> {
    if (this.runLoop.running().length === 0) return;
    try {
      for (const id of await this.messages.unseenHeldBy(this.instances.id)) this.runLoop.nudge(id);
    } catch (error) {
      this.logger.warn({ err: error }, 'Inboxes could not be read; the next poll reads their messages.');
    }
  }

  /** Stops runs in this process whose executions were cancelled in the database. */
  private async stopCancelled(): Promise<void> {
    const running = new Map(this.runLoop.running().map(({ id, stop }) => [id, stop]));
    if (running.size === 0) return;
    try {
      for (const id of await this.messages.cancelledAmong([...running.keys()])) running.get(id)?.();
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Cancelled executions could not be read; the next heartbeat reads them.',
      );
    }
  }

  async sweep(): Promise<void> {
    const now = isoTime(this.clock.now());
    for (const { executionId, hasEnded } of await this.messages.unread(now, PAGE)) {
      if (hasEnded) await this.writer.commit({ writes: [this.messages.empty(executionId)] });
      else await this.inbox.wake(executionId);
    }
  }
}
