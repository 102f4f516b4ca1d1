export { Admission, type Standing } from './admission.js';
export { ChildStarter } from './child-starter.js';
export { Deduplication, type DeduplicationTerms, ON_CONFLICTS, type OnConflict } from './deduplication.js';
export { ExecutionStarts } from './execution-starts.js';
export type { PreparedExecution } from './prepared-execution.js';
