import type { ExecutionView } from '../api/index.ts';

export type RunStatus = ExecutionView['status'];

/** In the order of an execution's life cycle. */
export const RUN_STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
];

/** Labels of the triggers of executions. */
export const TRIGGERS: Readonly<Record<ExecutionView['trigger']['type'], string>> = {
  api: 'API',
  cli: 'Command line',
  retry: 'Retry',
  parent: 'Parent run',
  schedule: 'Schedule',
  hook: 'Hook',
  webhook: 'Webhook',
};
