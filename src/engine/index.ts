export { stateCodec } from './state-codec.js';
export {
  DEFAULT_CONFIG,
  type NodeDefinition,
  type WorkflowConfig,
  type WorkflowDefinition,
  LIMITS,
} from './definition.js';
export { type EvaluationContext, withSecrets } from './evaluation.js';
export { fold } from './fold.js';
export { keyAt } from './iteration.js';
export { compact } from './loop.js';
export { type Message, SIGNAL_NAME } from './message.js';
export { type Decision, next, type RunOrder } from './next.js';
export { compilePlan, type Plan } from './plan.js';
export type { CatalogedNodeType, NodeTypeCatalog, PlannedNode } from './planned-node.js';
export { hasFailedNode, reusedEvents } from './reuse.js';
export {
  type ApprovalLinks,
  type AttemptOutcome,
  cancelled,
  endsAt,
  executionTooLarge,
  progressed,
  recovered,
  recoveryExhausted,
  settle,
  suspended,
  timedOut,
} from './settle.js';
export { awaitedChildren, type ExecutionState, isUnderWay, type NodeState } from './state.js';
export { withoutUnneededOutputs } from './unneeded-outputs.js';
