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
import { newId } from '../../platform/index.js';
import { ExecutionNotPausedError } from './control.errors.js';
import { ExecutionSignals, type Signal } from './execution-signals.js';
import type { TraceContext } from '../../trace-context/index.js';

/** Maximum time in milliseconds that a request waits until the execution is paused or resumed. */
const EFFECT_MS = 5_000;

type Watch = Pick<CompletionWatch, 'reached' | 'stop'>;

@Injectable()
export class ControlService {
  constructor(
    @Inject(ReachableExecutions) private readonly executions: Pick<ReachableExecutions, 'read'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'deliver'>,
    @Inject(Completion) private readonly completion: { watch(execution: Execution): Watch },
    @Inject(Idempotency) private readonly idempotency: Pick<Idempotency, 'claim'>,
    @Inject(ExecutionSignals) private readonly signals: Pick<ExecutionSignals, 'send'>,
  ) {}

  /**
   * Pauses an execution: no further node starts. Waits up to 5 seconds until the running nodes have ended. Has no
   * effect on a paused execution.
   * @throws ExecutionFinishedError
   */
  async pause(principal: Principal, id: string, reason: string | null): Promise<Execution> {
    const execution = await this.unfinished(principal, id);
    if (isPaused(execution)) return execution;
    const after = await this.sendMessage(execution, { id: newId(), kind: 'pause', reason }, isPaused);
    if (hasEnded(after)) throw new ExecutionFinishedError(after.progress.status);
    return after;
  }

  /**
   * Resumes a paused execution. Waits up to 5 seconds until the execution is no longer paused.
   * @throws ExecutionFinishedError; ExecutionNotPausedError.
   */
  async resume(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.unfinished(principal, id);
    if (!isPaused(execution)) throw new ExecutionNotPausedError(execution.progress.status);
    return this.sendMessage(execution, { id: newId(), kind: 'resume' }, (after) => !isPaused(after));
  }

  /**
   * Stores a signal for an execution, even if no node waits for the signal yet.
   * @param trace trace context of the caller; null if the caller sent none
   * @throws ExecutionFinishedError; InboxFullError; ValidationError if the payload is too long.
   * @throws NotAnApproverError if only approvals with named approvers wait for the signal.
   */
  async signal(
    principal: Principal,
    executionId: string,
    name: string,
    payload: Json,
    trace: TraceContext | null = null,
  ): Promise<Signal> {
    const execution = await this.executions.read(principal, executionId);
    return this.signals.send(principal, execution, { name, payload, trace }, (id) =>
      this.idempotency.claim(id),
    );
  }

  private async unfinished(principal: Principal, id: string): Promise<Execution> {
    const execution = await this.executions.read(principal, id);
    if (hasEnded(execution)) throw new ExecutionFinishedError(execution.progress.status);
    return execution;
  }

  private async sendMessage(
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
