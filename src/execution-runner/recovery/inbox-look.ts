import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { HintCoalescer, Writer } from '../../storage/index.js';
import { InProcessDispatcher } from '../dispatch/in-process.dispatcher.js';
import { InstanceRegistry } from '../../instances/index.js';
import { RunLoop } from '../run-loop/run-loop.js';
import { Inbox, MessageRepository } from '../../inbox/index.js';

/** Executions seen to in one look. */
const PAGE = 500;

/**
 * Joins inboxes to what runs in this process, and now and then looks for what somebody who died left undone: a
 * message that nobody was woken for.
 */
@Injectable()
export class InboxLook {
  private readonly logger = new Logger(InboxLook.name);
  private readonly messageHints = new HintCoalescer(() => this.lookAtHeld());
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
      look: () => this.messageHints.notify(),
      lookForCancelled: () => this.cancellationHints.notify(),
    });
  }

  /** What other processes told executions that run here. */
  private async lookAtHeld(): Promise<void> {
    if (this.runLoop.running().length === 0) return;
    try {
      for (const id of await this.messages.unseenHeldBy(this.instances.id)) this.runLoop.nudge(id);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Inboxes could not be read; the next look will find what lies in them.',
      );
    }
  }

  /** Aborts executions that run here and that the database says are cancelled. */
  private async stopCancelled(): Promise<void> {
    const running = new Map(this.runLoop.running().map(({ id, stop }) => [id, stop]));
    if (running.size === 0) return;
    try {
      for (const id of await this.messages.cancelledAmong([...running.keys()])) running.get(id)?.();
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Cancelled executions could not be read; the next heartbeat finds them.',
      );
    }
  }

  async look(): Promise<void> {
    const now = isoTime(this.clock.now());
    for (const { executionId, hasEnded } of await this.messages.unheard(now, PAGE)) {
      if (hasEnded) await this.writer.commit({ writes: [this.messages.empty(executionId)] });
      else await this.inbox.wake(executionId);
    }
  }
}
