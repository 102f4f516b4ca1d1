export const BULK_ACTIONS = ['cancel', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Maximum number of executions that one bulk request processes. */
export const MAX_PER_CALL = 1_000;

export const MAX_ERRORS = 20;
