export { type Backoff, DEFAULT_BACKOFF } from './backoff.ts';
export { type ConnectionState, eventStream, type EventStreamOptions } from './event-stream.ts';
export type { EventDataByType } from './event-data.ts';
export { CursorExpiredError, StreamRefusedError } from './event-stream.errors.ts';
export * from './generated/index.ts';
export {
  onExecutionEvents,
  watchExecution,
  type WatchListener,
  type WatchOptions,
} from './watch-execution.ts';
export {
  type EventFilter,
  type FinalEventType,
  isFinalEvent,
  type TypedEvent,
  type WorkflowEvent,
  type WorkflowEventOf,
  type WorkflowEventType,
} from './workflow-event.ts';
export { type WorkflowService, workflowService, type WorkflowServiceOptions } from './workflow-service.ts';
