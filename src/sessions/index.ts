export type { Session } from './session.js';
export { ListSessionsQuery } from './session.dto.js';
export { SessionEntity } from './session.entity.js';
export { SessionView } from './session.view.js';
export { SessionAnswers } from './session-answers.js';
export { type ExecutionCounts, SessionExecutions } from './session-executions.js';
export { SessionsModule } from './sessions.module.js';
export { SessionsService } from './sessions.service.js';
