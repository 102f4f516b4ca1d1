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
  /** The child's id. */
  readonly id: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly output: Json;
  readonly error: ExecutionError | null;
}

/** Why an attempt failed, as it is recorded. */
export interface NodeError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/**
 * Who may decide an approval: a person who is signed in, in the team of the execution, and named by `users` or
 * `roles` where any are given.
 */
export type ApproverRules = {
  /** Ids or email addresses. */
  readonly users?: readonly string[];
  /** Roles in the team; exactly these. */
  readonly roles?: readonly string[];
  /** Any signed in member of the team, where nothing narrows it. */
  readonly signed_in?: true;
  /** Whether the person who started the execution is excluded. */
  readonly exclude_starter?: boolean;
};

/** How a child execution ended; a long output stands in the child's journal. */
export type RecordedChildEnd = Omit<ChildEnd, 'output'> & { readonly output: RecordedValue };

/** A resumption whose long values are not read yet. */
export type RecordedResumption = Resumption | ({ readonly kind: 'child' } & RecordedChildEnd) | LongValue;
