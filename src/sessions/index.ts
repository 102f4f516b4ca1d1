export type { Session } from './session.js';
export { SessionEntity } from './session.entity.js';
export { SessionStateChangeEntity } from './session-state-change.entity.js';
export { type SessionState, SessionStates } from './session-states.js';
export {
  SessionClosedError,
  SessionNotFoundError,
  SessionStateConflictError,
  SessionStateTooLongError,
} from './sessions.errors.js';
export { type ExecutionCounts, SessionExecutions } from './session-executions.js';
export { SessionsModule } from './sessions.module.js';
export { SessionsService } from './sessions.service.js';
