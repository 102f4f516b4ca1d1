export { assertNever } from './assert-never.js';
export type {
  ApproverRules,
  ChildEnd,
  NodeError,
  RecordedChildEnd,
  RecordedResumption,
  Resumption,
} from './attempt.js';
export {
  EVENT_TYPES,
  type EventDataByType,
  type EventOf,
  type EventType,
  type ExecutionEvent,
  isFinalEventType,
  isKnown,
  type JournalEvent,
  type NodeEvent,
  type NodeEventType,
  type Progress,
  type ReadEvent,
  type StoredEvent,
  type Trigger,
  type TriggerType,
  upcast,
  versionOf,
} from './event.js';
export type { ExecutionError } from './execution-error.js';
export { stateKey } from './state-key.js';
export {
  EXECUTION_STATUSES,
  type ExecutionStatus,
  FINAL_STATUSES,
  isFinal,
  isSettled,
  type NodeStatus,
} from './status.js';
export {
  executionTransition,
  isOccurrence,
  isOfNode,
  type NodeTransition,
  nodeTransition,
  type Occurrence,
  progressIn,
} from './transition.js';
