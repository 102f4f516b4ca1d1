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

/** Status of an execution. The statuses `completed`, `failed`, `cancelled` and `timed_out` are final. */
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

/** Status of a node. The statuses `completed`, `failed` and `skipped` are final. */
export type NodeStatus = 'pending' | 'running' | 'retrying' | 'waiting' | 'completed' | 'failed' | 'skipped';

export function isSettled(status: NodeStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped';
}
