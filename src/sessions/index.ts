export { type SessionState, SessionStates } from './session-states.js';
export type { Session } from './session.js';
export {
  SessionClosedError,
  SessionNotFoundError,
  SessionStateConflictError,
  SessionStateTooLongError,
} from './sessions.errors.js';
export { SessionsModule } from './sessions.module.js';
export { SessionsService } from './sessions.service.js';
