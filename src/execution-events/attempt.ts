import { type LongValue, type RecordedValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import type { ExecutionError } from './execution-error.js';

export type Resumption =
  | { readonly kind: 'timer'; /** Epoch milliseconds at which the attempt resumes. */ readonly at: number }
  | {
      readonly kind: 'signal';
      readonly name: string;
      readonly payload: Json;
      /** Trace context of the caller that sent the signal; absent if the caller sent no `traceparent` header. */
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
 * Rules for who may decide an approval: signed-in members of the execution's team that `users` or `roles` lists. Without
 * both lists, every signed-in member may decide.
 */
export type ApproverRules = {
  /** User ids or email addresses of the members who may decide. */
  readonly users?: readonly string[];
  /** Roles of the members who may decide. The list must also contain each higher role that may decide. */
  readonly roles?: readonly string[];
  /** Requires that approvers are signed in. Without `users` and `roles`, every signed-in member may decide. */
  readonly signed_in?: true;
  /** True if the person who started or retried the execution may not decide. */
  readonly exclude_starter?: boolean;
};

/**
 * The end of a child execution as the parent's journal stores it. A long output is stored only in the child's journal.
 */
export type RecordedChildEnd = Omit<ChildEnd, 'output'> & { readonly output: RecordedValue };

/**
 * Why a suspended attempt continues, as stored in the journal. A long payload or output is a reference that is not
 * loaded.
 */
export type RecordedResumption = Resumption | ({ readonly kind: 'child' } & RecordedChildEnd) | LongValue;
