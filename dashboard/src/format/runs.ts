import type { ExecutionView } from '../api/index.ts';
import { texts } from '../texts/en/format.ts';

export type RunStatus = ExecutionView['status'];

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

export const TRIGGERS: Readonly<Record<ExecutionView['trigger']['type'], string>> = {
  api: texts.triggerApi,
  cli: texts.triggerCli,
  retry: texts.triggerRetry,
  parent: texts.triggerParent,
  schedule: texts.triggerSchedule,
  hook: texts.triggerHook,
  webhook: texts.triggerWebhook,
};
