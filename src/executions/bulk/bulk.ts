import { type ExecutionStatus, FINAL_STATUSES } from '../../execution-events/index.js';

/** What can be done to many executions at once. */
export const BULK_ACTIONS = ['cancel', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Executions that one call takes on. */
export const MAX_PER_CALL = 1_000;

/** Errors that one answer names. */
export const MAX_ERRORS = 20;

/** What an action does something to: the rest does not count as matched. */
const STATUSES: Readonly<Record<BulkAction, readonly ExecutionStatus[]>> = {
  cancel: ['queued', 'running', 'waiting', 'paused'],
  retry: FINAL_STATUSES.filter((status) => status !== 'completed'),
};

/** The statuses that an action looks for, those asked for taken into account. */
export function statusesFor(
  action: BulkAction,
  wanted: readonly ExecutionStatus[] | undefined,
): readonly ExecutionStatus[] {
  return STATUSES[action].filter((status) => wanted === undefined || wanted.includes(status));
}
