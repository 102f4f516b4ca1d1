import {
  ReachableExecutions,
  Completion,
  type CompletionWatch,
  type Execution,
  hasEnded,
  ExecutionFinishedError,
} from '../../execution-store/index.js';
import { Inbox } from '../../inbox/index.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import type { Json } from '../../expressions/index.js';
import type { Message } from '../../engine/index.js';
import { Idempotency } from '../../idempotency/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../../platform/index.js';
import { ValidationError } from '../../errors/index.js';
import { SignalledApprovals } from '../../approvals/index.js';
import { ExecutionNotPausedError, InboxFullError } from './control.errors.js';

/** Longest payload of a signal, in characters of JSON. */
const MAX_PAYLOAD = 256 * 1024;

/** What may lie in one inbox: messages, and characters of their payloads. */
const MAX_MESSAGES = 1_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** How long a request waits to see what it asked for, in milliseconds. */
const EFFECT_MS = 5_000;

type Watch = Pick<CompletionWatch, 'reached' | 'stop'>;

/** A signal that was taken for an execution. */
export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly executionId: string;
  readonly createdAt: string;
}

/** Pausing, resuming and signalling executions, and who may. */
@Injectable()
export class ControlService {
  constructor(
    @Inject(ReachableExecutions) private readonly executions: Pick<ReachableExecutions, 'read'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'deliver' | 'load'>,
    @Inject(Completion) private readonly completion: { watch(execution: Execution): Watch },
    @Inject(Idempotency) private readonly idempotency: Pick<Idempotency, 'claim'>,
    @Inject(SignalledApprovals) private readonly approvals: Pick<SignalledApprovals, 'entries'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Lets nothing new begin; what runs ends and is recorded. Resolves when that is so, or after a few seconds to
   * the execution as it then is. Pausing twice is no fault.
   * @throws ExecutionFinishedError
   */
  async pause(principal: Principal, id: string, reason: string | null): Promise<Execution> {
    const execution = await this.unfinished(principal, id);
    if (isPaused(execution)) return execution;
    const after = await this.tell(execution, { id: newId(), kind: 'pause', reason }, isPaused);
    if (hasEnded(after)) throw new ExecutionFinishedError(after.progress.status);
    return after;
  }

  /**
   * Lets a paused execution go on. Resolves when it does; it may have ended by then.
   * @throws ExecutionFinishedError; ExecutionNotPausedError.
   */
  async resume(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.unfinished(principal, id);
    if (!isPaused(execution)) throw new ExecutionNotPausedError(execution.progress.status);
    return this.tell(execution, { id: newId(), kind: 'resume' }, (after) => !isPaused(after));
  }

  /**
   * Keeps a signal for an execution, whether something waits for it by now or will. Resolves when it is durable.
   * @throws ExecutionFinishedError; InboxFullError; ValidationError when the payload is too long.
   * @throws NotAnApproverError when only approvals that name their approvers wait for it.
   */
  async signal(principal: Principal, executionId: string, name: string, payload: Json): Promise<Signal> {
    const length = JSON.stringify(payload).length;
    if (length > MAX_PAYLOAD)
      throw ValidationError.of(
        'payload',
        'max_length',
        `must have ${MAX_PAYLOAD} characters of JSON at the most; it has ${length}`,
      );
    const execution = await this.unfinished(principal, executionId);
    const { count, characters } = await this.inbox.load(executionId);
    if (count >= MAX_MESSAGES || characters + length > MAX_CHARACTERS) throw new InboxFullError();
    const decided = await this.approvals.entries(principal, execution, name, payload);
    const signal = { id: newId(), name, executionId, createdAt: isoTime(this.clock.now()) };
    const message: Message = { id: signal.id, kind: 'signal', name, payload, to: null };
    await this.inbox.deliver(executionId, message, {
      also: [...this.idempotency.claim(signal.id), ...decided],
    });
    return signal;
  }

  private async unfinished(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.executions.read(principal, id);
    if (hasEnded(execution)) throw new ExecutionFinishedError(execution.progress.status);
    return execution;
  }

  private async tell(
    execution: Execution,
    message: Message,
    isDone: (execution: Execution) => boolean,
  ): Promise<Execution> {
    const watch = this.completion.watch(execution);
    try {
      await this.inbox.deliver(execution.id, message);
      return await watch.reached(isDone, EFFECT_MS);
    } finally {
      watch.stop();
    }
  }
}

function isPaused({ progress }: Execution): boolean {
  return progress.status === 'paused';
}
