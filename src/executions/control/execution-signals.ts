import { Inject, Injectable } from '@nestjs/common';
import { SignalledApprovals, type Signaller } from '../../approvals/index.js';
import type { Message } from '../../engine/index.js';
import { ValidationError } from '../../errors/index.js';
import { type Execution, ExecutionFinishedError, hasEnded } from '../../execution-store/index.js';
import type { Json } from '../../expressions/index.js';
import { Inbox } from '../../inbox/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../../platform/index.js';
import type { Write } from '../../storage/index.js';
import { type TraceContext, traceHeaders } from '../../trace-context/index.js';
import { InboxFullError } from './control.errors.js';

/** Maximum length of a signal's payload, in characters of its JSON text. */
const MAX_PAYLOAD = 256 * 1024;

const MAX_MESSAGES = 1_000;
/** Maximum total length of the messages in an execution's inbox, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly executionId: string;
  readonly createdAt: string;
}

export interface SentSignal {
  readonly name: string;
  readonly payload: Json;
  /** Trace context of the caller who sent the signal. Null or absent if the caller sent none. */
  readonly trace?: TraceContext | null;
}

/** Sends signals to executions without checking access rights, which callers must check first. */
@Injectable()
export class ExecutionSignals {
  constructor(
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'deliver' | 'sizeOf'>,
    @Inject(SignalledApprovals) private readonly approvals: Pick<SignalledApprovals, 'entries'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Stores a signal in the inbox of an execution, until a node consumes the signal.
   * @param writesOf returns further writes for the same commit, by id of the signal
   * @throws ExecutionFinishedError; InboxFullError; ValidationError if the payload is too long.
   * @throws NotAnApproverError if only approvals with named approvers wait for the signal.
   */
  async send(
    signaller: Signaller,
    execution: Execution,
    signal: SentSignal,
    writesOf: (signalId: string) => readonly Write[],
  ): Promise<Signal> {
    const { name, payload, trace = null } = signal;
    const length = JSON.stringify(payload).length;
    if (length > MAX_PAYLOAD)
      throw ValidationError.of(
        'payload',
        'max_length',
        `must have at most ${MAX_PAYLOAD} characters of JSON, but has ${length}`,
      );
    if (hasEnded(execution)) throw new ExecutionFinishedError(execution.progress.status);
    const { count, characters } = await this.inbox.sizeOf(execution.id);
    if (count >= MAX_MESSAGES || characters + length > MAX_CHARACTERS) throw new InboxFullError();
    const decided = await this.approvals.entries(signaller, execution, name, payload);
    const sent = { id: newId(), name, executionId: execution.id, createdAt: isoTime(this.clock.now()) };
    const link = trace === null ? {} : { traceparent: traceHeaders(trace).traceparent };
    const message: Message = { id: sent.id, kind: 'signal', name, payload, to: null, ...link };
    await this.inbox.deliver(execution.id, message, { also: [...writesOf(sent.id), ...decided] });
    return sent;
  }
}
