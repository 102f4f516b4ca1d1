import { type LongValue, type RecordedValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import type { ExecutionError } from './execution-error.js';

/** What woke a suspended attempt. */
export type Resumption =
  | { readonly kind: 'timer'; /** Epoch milliseconds. */ readonly at: number }
  | {
      readonly kind: 'signal';
      readonly name: string;
      readonly payload: Json;
      /** Trace context of the caller that sent the signal; absent if the caller sent none. */
      readonly traceparent?: string;
    }
  | ({ readonly kind: 'child' } & ChildEnd);

/** How a child execution ended. */
export interface ChildEnd {
  /** Id of the child. */
  readonly id: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly output: Json;
  readonly error: ExecutionError | null;
}

/** The recorded error of a failed attempt. */
export interface NodeError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/**
 * Who may decide an approval: a signed-in member of the execution's team. If `users` or `roles` is present, the member
 * must match one of them.
 */
export type ApproverRules = {
  /** User ids or email addresses. */
  readonly users?: readonly string[];
  /** Roles in the team. Each role must be listed; a higher role is not included automatically. */
  readonly roles?: readonly string[];
  /** Every signed-in member of the team may decide, unless `users` or `roles` restrict it. */
  readonly signed_in?: true;
  /** Whether the person who started the execution may not decide. */
  readonly exclude_starter?: boolean;
};

/** How a child execution ended. A long output is stored in the journal of the child. */
export type RecordedChildEnd = Omit<ChildEnd, 'output'> & { readonly output: RecordedValue };

/** What woke a suspended attempt, with long values that are not loaded. */
export type RecordedResumption = Resumption | ({ readonly kind: 'child' } & RecordedChildEnd) | LongValue;
