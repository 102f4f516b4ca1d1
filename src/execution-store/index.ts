export { Cancellation } from './cancellation.js';
export { BackgroundCancellation } from './cancellation/background-cancellation.js';
export { CancellationJobRepository } from './cancellation/cancellation-job.repository.js';
export { Completion, type CompletionWatch } from './completion.js';
export { type Condition, conditionsOf, type ExecutionFilter, takesLong } from './execution-conditions.js';
export { ExecutionLookupRepository } from './execution-lookup.repository.js';
export { type ExecutionFault, ExecutionVerification } from './execution-verification.js';
export { ExecutionStoreModule } from './execution-store.module.js';
export { ExecutionEntity } from './execution.entity.js';
export {
  AncestorEndedError,
  ExecutionChangedError,
  ExecutionFinishedError,
  ExecutionNotFoundError,
  KeyHeldError,
  LeaseLostError,
} from './execution.errors.js';
export { ExecutionRepository, toExecution } from './execution.repository.js';
export {
  type NewExecution,
  durationMs,
  endsAtOf,
  type Execution,
  executionAfter,
  HANDED_OVER,
  hasEnded,
  logFields,
  HOLDER_LOST,
  NOT_STARTED,
  WORKFLOW_UNAVAILABLE,
} from './execution.js';
export { ReachableExecutions } from './reachable-executions.js';
export { UnfinishedExecutions } from './unfinished-executions.js';
