import {
  type RecordedChildEnd,
  type RecordedResumption,
  type NodeError,
  type Resumption,
} from '../execution-events/index.js';
import { LongValue, type ReadLongValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import { MAX_OUTPUT, outputTooLarge } from '../node-contract/index.js';

/**
 * A message to an execution: a signal, the end of a child, or a request to pause or resume. The commit of the event
 * that consumes a message also deletes it from the inbox. A message therefore takes effect exactly once, even after
 * crashes.
 */
export type Message = { readonly id: string } & (
  | {
      readonly kind: 'signal';
      readonly name: string;
      readonly payload: Json;
      /** The only wait that may receive the signal; null if any wait for the signal's name may receive it. */
      readonly to: SignalAddress | null;
      /** Trace context of the caller that sent the message; absent if the caller sent none. */
      readonly traceparent?: string;
    }
  | { readonly kind: 'child'; readonly end: RecordedChildEnd }
  | { readonly kind: 'pause'; readonly reason: string | null }
  | { readonly kind: 'resume' }
);

/** Identifies a wait for a signal by its node and attempt. */
export interface SignalAddress {
  /** Key of the node in the state of the execution: `ask`, or `each[3].ask` inside a loop. */
  readonly nodeId: string;
  readonly attempt: number;
}

/** Format of a signal's name. A valid name needs no escaping in a URL path or in a log line. */
export const SIGNAL_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A message that an event of the execution has consumed. */
export interface ConsumedMessage {
  readonly id: string;
  /** Sequence of the event that consumed the message. The commit of that event must delete the message. */
  readonly sequence: number;
}

/** The message that can wake a waiting node before its timer does. */
export type Awaited =
  | {
      readonly kind: 'signal';
      readonly name: string;
      /**
       * True if only a signal that is addressed to this wait can end the wait. Set for approvals that restrict the
       * approvers.
       */
      readonly isAddressed?: true;
      readonly reminders?: Reminders;
    }
  | { readonly kind: 'child'; readonly id: string };

/** Reminders of a wait for a signal. A reminder is due after each interval since the start of the wait. */
export interface Reminders {
  /** Epoch milliseconds at which the wait started. */
  readonly since: number;
  readonly everyMs: number;
  /** Number of the last recorded reminder; 0 before the first reminder. */
  readonly sent: number;
}

/** Returns the epoch milliseconds at which the next reminder is due. */
export function nextReminderAt({ since, everyMs, sent }: Reminders): number {
  return since + (sent + 1) * everyMs;
}

/**
 * Returns what a waiting attempt receives when a message ends its wait; null if the attempt waits for another message.
 */
export function resumptionBy(
  message: Message,
  awaits: Awaited,
  nodeId: string,
  attempt: number,
): Exclude<RecordedResumption, LongValue> | null {
  if (message.kind === 'child')
    return awaits.kind === 'child' && awaits.id === message.end.id ? { kind: 'child', ...message.end } : null;
  if (message.kind !== 'signal' || awaits.kind !== 'signal' || awaits.name !== message.name) return null;
  const { name, payload, to, traceparent } = message;
  const isRecipient =
    to === null ? awaits.isAddressed !== true : to.nodeId === nodeId && to.attempt === attempt;
  if (!isRecipient) return null;
  return { kind: 'signal', name, payload, ...(traceparent === undefined ? {} : { traceparent }) };
}

/**
 * Loads the long values that a resumed attempt receives, such as the output of a child execution. Returns a
 * node error if the output of the child execution is too large.
 */
export function readResumption(
  recorded: RecordedResumption | null,
  read: ReadLongValue,
): { readonly resumption: Resumption | null } | { readonly error: NodeError } {
  if (recorded === null) return { resumption: null };
  if (recorded instanceof LongValue) return { resumption: read(recorded) as unknown as Resumption };
  if (recorded.kind !== 'child') return { resumption: recorded };
  const { output, ...end } = recorded;
  if (!(output instanceof LongValue)) return { resumption: { ...end, output } };
  if (output.size > MAX_OUTPUT) return { error: outputTooLarge(output.size) };
  return { resumption: { ...end, output: read(output) } };
}
