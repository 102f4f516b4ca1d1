export const EXECUTION_STATUSES = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const;

/** The last four statuses are final. */
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const FINAL_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const satisfies readonly ExecutionStatus[];

export function isFinal(status: ExecutionStatus): boolean {
  return (FINAL_STATUSES as readonly ExecutionStatus[]).includes(status);
}

/** `completed`, `failed` and `skipped` are final. */
export type NodeStatus = 'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped';

export function isSettled(status: NodeStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
