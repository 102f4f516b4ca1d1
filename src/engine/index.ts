export { assertNever } from './assert-never.js';
export * from './definition.js';
export * from './event.js';
export type { Surroundings } from './evaluation.js';
export * from './fault.js';
export { fold } from './fold.js';
export type * from './json.js';
export { type Decision, next, type RunOrder } from './next.js';
export * from './node-type.js';
export {
  type CatalogedNodeType,
  compilePlan,
  type CompiledPlan,
  type NodeTypeCatalog,
  type Plan,
  type PlannedNode,
} from './plan.js';
export {
  type AttemptOutcome,
  cancelled,
  progressed,
  recovered,
  recoveryExhausted,
  settle,
  suspended,
} from './settle.js';
export {
  type ExecutionState,
  type ExecutionStatus,
  FINAL_STATUSES,
  isFinal,
  type NodeState,
  type NodeStatus,
} from './state.js';
