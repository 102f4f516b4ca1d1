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

/** Where an execution is. The last four are final and never change again. */
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

/** Where a node is. `completed`, `failed` and `skipped` are settled. */
export type NodeStatus = 'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped';

export function isSettled(status: NodeStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
