/**
 * Package entry point `workflow-service/module`: the API for plug-ins with Nest modules. Includes all exports of
 * `workflow-service/node`.
 */
export * from './node-contract.js';
export {
  AccessModule,
  Authenticated,
  type AuthenticatedRequest,
  CurrentPrincipal,
  type Principal,
  Public,
  RequireScope,
  type Scope,
} from './access/index.js';
export { AuthModule, KeyAuthenticator, RequestAddress } from './auth/index.js';
export { IdColumn, JsonColumn, TimeColumn } from './database/index.js';
export {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  ServiceError,
  ValidationError,
} from './errors/index.js';
export { ApiAnswers, ApiPage, IdParam } from './http/index.js';
export { type Batch, EventBus, JournalModule } from './journal/index.js';
export { idPlace, type IdPlace, type Page, page, pageById, PageQuery, type PageRows } from './pages/index.js';
export { isoTime, newId } from './platform/index.js';
export { type Project, ProjectsModule, ProjectsService } from './projects/index.js';
export { type SecretProvider, SecretSource } from './secrets/index.js';
export {
  DIALECT,
  type Dialect,
  EntityRows,
  type Statement,
  statementOf,
  StorageModule,
  type UnitOfWork,
  type Write,
  Writer,
} from './storage/index.js';
export { type EventSink, Sink, type SinkMessage, type SinkResult } from './event-sinks/index.js';
