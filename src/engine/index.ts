export { assertNever } from './assert-never.js';
export * from './definition.js';
export * from './event.js';
export type { Surroundings } from './evaluation.js';
export type { ExecutionError } from './execution-error.js';
export * from './fault.js';
export { fold } from './fold.js';
export { type Iteration, keyAt, stateKey } from './iteration.js';
export type * from './json.js';
export {
  INLINE_LIMIT,
  LongValue,
  type LongValuePiece,
  type LongValuePlace,
  type ReadLongValue,
  readTextInMemory,
  recordedValue,
  type Value,
  ValuesNotLoadedError,
} from './long-value.js';
export { compact } from './loop.js';
export { type ConsumedMessage, type Message, type RecordedChildEnd, SIGNAL_NAME } from './message.js';
export { type Decision, next, type RunOrder } from './next.js';
export * from './node-type.js';
export { compilePlan, type CompiledPlan, type Plan } from './plan.js';
export type { CatalogedNodeType, NodeTypeCatalog, PlannedNode } from './planned-node.js';
export { hasFailedNode, reusedEvents } from './reuse.js';
export {
  type ApprovalLinks,
  type AttemptOutcome,
  cancelled,
  executionTooLarge,
  progressed,
  recovered,
  recoveryExhausted,
  settle,
  suspended,
  timedOut,
} from './settle.js';
export {
  awaitedChildren,
  type ExecutionState,
  type ExecutionStatus,
  FINAL_STATUSES,
  isFinal,
  isSettled,
  isUnderWay,
  type NodeState,
  type NodeStatus,
} from './state.js';
