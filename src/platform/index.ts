export { ConfigModule } from './config/config.module.js';
export {
  type DatabaseSettings,
  type PlanLimits,
  readSettings,
  SETTING_NAMES,
  SETTINGS,
  type Settings,
  SettingsError,
  type TokenIssuer,
} from './config/settings.js';
export { ClockModule } from './clock/clock.module.js';
export { CLOCK, type Clock, isoTime, systemClock } from './clock/clock.js';
export { isId, newId } from './ids/id.js';
export { statementOf } from './database/builder-statement.js';
export { applyDialect, IdColumn, JsonColumn, PositionColumn, TimeColumn } from './database/columns.js';
export {
  DatabaseUnavailableError,
  dataSourceOptions,
  type EntityClass,
  type MigrationClass,
  openDataSource,
} from './database/data-source.js';
export { DatabaseModule, writerOf } from './database/database.module.js';
export { type Columns, insertShape, updateShape } from './database/row-shape.js';
export {
  DIALECT,
  type Dialect,
  type RowShape,
  type RowWrite,
  type SqlValue,
  type Statement,
  type UnitOfWork,
  type Write,
  Writer,
} from './database/unit-of-work.js';
export { type ErrorDetails, type ErrorOptions, type ErrorStatus, type ErrorType, ERROR_TYPES, ServiceError } from './http/service-error.js';
export {
  AuthenticationError,
  ConflictError,
  IdempotencyError,
  type InputFault,
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  UnavailableError,
  UnknownPathError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './http/errors.js';
