export { ExecutionAdmissionEntity } from './admission/admission.entity.js';
export { AdmissionRepository, leaving, SlotTakenError } from './admission/admission.repository.js';
export { freeSlots, type Gates, type ParkedReason, placeIn } from './admission/gates.js';
export { Cancellation } from './cancellation.js';
export { BackgroundCancellation } from './cancellation/background-cancellation.js';
export { CancellationJobEntity } from './cancellation/cancellation-job.entity.js';
export { CancellationJobRepository } from './cancellation/cancellation-job.repository.js';
export { Completion } from './completion.js';
export { type Condition, conditionsOf, type ExecutionFilter, takesLong } from './execution-conditions.js';
export { ExecutionLookupRepository } from './execution-lookup.repository.js';
export { ExecutionStoreModule } from './execution-store.module.js';
export { ExecutionEntity } from './execution.entity.js';
export {
  AlreadyDecidedError,
  AncestorEndedError,
  DuplicateExecutionError,
  ExecutionChangedError,
  ExecutionFinishedError,
  ExecutionNotFinishedError,
  ExecutionNotFoundError,
  ExecutionNotPausedError,
  InboxFullError,
  KeyHeldError,
  LeaseLostError,
  NothingFailedError,
  TooManyExecutionsError,
  WorkflowNotActiveError,
} from './execution.errors.js';
export { ExecutionRepository, toExecution } from './execution.repository.js';
export {
  type Beginning,
  durationMs,
  type Execution,
  executionAfter,
  HANDED_OVER,
  hasEnded,
  HOLDER_LOST,
  NOT_STARTED,
  WORKFLOW_UNAVAILABLE,
} from './execution.js';
export { Inbox } from './inbox/inbox.js';
export { deleteMessage, markSeen } from './inbox/message-row.js';
export { MessageEntity } from './inbox/message.entity.js';
export { MessageRepository, type StoredMessage } from './inbox/message.repository.js';
export { ReachableExecutions } from './reachable-executions.js';
export { SharedSecretEntity } from './secret/shared-secret.entity.js';
export { SharedSecretRepository } from './secret/shared-secret.repository.js';
export { UnfinishedExecutions } from './unfinished-executions.js';
