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
      /** The trace of the caller that sent the signal, where it sent one. */
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
 * Who may decide an approval: a signed-in member of the execution's team, who matches `users` or `roles` if either is
 * given.
 */
export type ApproverRules = {
  /** User ids or email addresses. */
  readonly users?: readonly string[];
  /** Roles in the team; only these, not higher ones. */
  readonly roles?: readonly string[];
  /** Any signed-in member of the team, unless `users` or `roles` restrict it. */
  readonly signed_in?: true;
  /** Whether the person who started the execution is excluded. */
  readonly exclude_starter?: boolean;
};

/** How a child execution ended; a long output is stored in the child's journal. */
export type RecordedChildEnd = Omit<ChildEnd, 'output'> & { readonly output: RecordedValue };

/** A resumption whose long values are not loaded yet. */
export type RecordedResumption = Resumption | ({ readonly kind: 'child' } & RecordedChildEnd) | LongValue;
