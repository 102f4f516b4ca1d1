export { type Backoff, DEFAULT_BACKOFF } from './backoff.js';
export { type ConnectionState, eventStream, type EventStreamOptions } from './event-stream.js';
export { CursorExpiredError, StreamRefusedError } from './event-stream.errors.js';
export type { EventFilter, WorkflowEvent, WorkflowEventType } from './workflow-event.js';
