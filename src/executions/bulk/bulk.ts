import { type ExecutionStatus, FINAL_STATUSES } from '../../execution-events/index.js';

export const BULK_ACTIONS = ['cancel', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Maximum number of executions that one bulk request processes. */
export const MAX_PER_CALL = 1_000;

export const MAX_ERRORS = 20;

/** Statuses of the executions to which each bulk action applies. */
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
