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
 * Something that an execution is told from outside. It lies in the execution's durable inbox until an event
 * takes it up, and goes in the commit of that event: so it counts once, whatever dies in between.
 */
export type Message = { readonly id: string } & (
  | {
      readonly kind: 'signal';
      readonly name: string;
      readonly payload: Json;
      /** The one wait that it is meant for; null is any that waits for the name. */
      readonly to: SignalAddress | null;
      /** The trace of the caller that sent it, where it sent one. */
      readonly traceparent?: string;
    }
  | { readonly kind: 'child'; readonly end: RecordedChildEnd }
  | { readonly kind: 'pause'; readonly reason: string | null }
  | { readonly kind: 'resume' }
);

/** One wait of one node. */
export interface SignalAddress {
  /** The key of its state: `ask`, or `each[3].ask` inside a loop. */
  readonly nodeId: string;
  readonly attempt: number;
}

/** What a signal's name looks like: safe in a path and in a log. */
export const SIGNAL_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A message that is done with. */
export interface ConsumedMessage {
  readonly id: string;
  /** Sequence of the event that took it up: once that is durable, the message is to be gone. */
  readonly sequence: number;
}

/** What else than a timer a waiting node waits for. */
export type Awaited =
  | {
      readonly kind: 'signal';
      readonly name: string;
      /** Only a message for this very wait counts: an approval that names who may decide. */
      readonly isAddressed?: true;
      readonly reminders?: Reminders;
    }
  | { readonly kind: 'child'; readonly id: string };

/** Reminders of one wait: one at each interval from its beginning on. */
export interface Reminders {
  /** Epoch milliseconds at which the wait began. */
  readonly since: number;
  readonly everyMs: number;
  /** Number of the last one sent; 0 before the first. */
  readonly sent: number;
}

/** Epoch milliseconds at which the next reminder is due. */
export function nextReminderAt({ since, everyMs, sent }: Reminders): number {
  return since + (sent + 1) * everyMs;
}

/** What a message wakes the wait of an attempt with; null where that does not wait for it. */
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
  const isMeant = to === null ? awaits.isAddressed !== true : to.nodeId === nodeId && to.attempt === attempt;
  if (!isMeant) return null;
  return { kind: 'signal', name, payload, ...(traceparent === undefined ? {} : { traceparent }) };
}

/** The resumption with its long values read, or why the node cannot be resumed. */
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
