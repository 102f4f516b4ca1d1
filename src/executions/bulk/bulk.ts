export const BULK_REQUEST_ACTIONS = ['cancel', 'retry'] as const;
export type BulkRequestAction = (typeof BULK_REQUEST_ACTIONS)[number];

/** Maximum number of executions that one bulk request processes. */
export const MAX_PER_CALL = 1_000;

export const MAX_ERRORS = 20;
