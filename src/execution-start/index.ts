export { Deduplication, type DeduplicationTerms, ON_CONFLICTS, type OnConflict } from './deduplication.js';
export { DuplicateExecutionError, WorkflowNotActiveError } from './execution-start.errors.js';
export { ExecutionStartModule } from './execution-start.module.js';
export { ExecutionStarts } from './execution-starts.js';
export { preparedExecution, type PreparedExecution } from './prepared-execution.js';
export { StartChecks } from './start-checks.js';
export { TriggeredStarts } from './triggered-starts.js';
