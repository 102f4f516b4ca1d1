import { type LongValue, type RecordedValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import type { ExecutionError } from './execution-error.js';

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

export interface ChildEnd {
  readonly id: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly output: Json;
  readonly error: ExecutionError | null;
}

export interface NodeError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/**
 * A signed-in member of the execution's team may decide. `users` or `roles` restrict the members
 * further.
 */
export type ApproverRules = {
  /** User ids or email addresses. */
  readonly users?: readonly string[];
  /** A listed role does not include higher roles. */
  readonly roles?: readonly string[];
  /** Allows every signed-in member, unless `users` or `roles` restrict them. */
  readonly signed_in?: true;
  /** Excludes the person who started the execution. */
  readonly exclude_starter?: boolean;
};

/** The child's journal stores a long output. */
export type RecordedChildEnd = Omit<ChildEnd, 'output'> & { readonly output: RecordedValue };

/** Long values are not loaded. */
export type RecordedResumption = Resumption | ({ readonly kind: 'child' } & RecordedChildEnd) | LongValue;
