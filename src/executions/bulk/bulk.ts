import { type ExecutionStatus, FINAL_STATUSES } from '../../execution-events/index.js';

export const BULK_ACTIONS = ['cancel', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Maximum number of executions per request. */
export const MAX_PER_CALL = 1_000;

export const MAX_ERRORS = 20;

/** The action applies only to executions with these statuses. */
const STATUSES: Readonly<Record<BulkAction, readonly ExecutionStatus[]>> = {
  cancel: ['queued', 'running', 'waiting', 'paused'],
  retry: FINAL_STATUSES.filter((status) => status !== 'completed'),
};

export function statusesFor(
  action: BulkAction,
  wanted: readonly ExecutionStatus[] | undefined,
): readonly ExecutionStatus[] {
  return STATUSES[action].filter((status) => wanted === undefined || wanted.includes(status));
}
