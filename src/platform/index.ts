export { type AddressNetwork, addressShare } from './address-share.js';
export { type BuildInfo, readBuildInfo } from './build/build-info.js';
export { ConfigModule } from './config/config.module.js';
export { environment } from './config/environment.js';
export {
  type DatabaseSettings,
  inspectSettings,
  type PlanLimits,
  readSettings,
  SETTING_NAMES,
  SETTINGS,
  type Settings,
  SettingsError,
} from './config/settings.js';
export { type TokenIssuer, TOKEN_ISSUER_FIELDS } from './config/token-issuer.js';
export { ClockModule } from './clock/clock.module.js';
export { changeTime, CLOCK, type Clock, isoTime, systemClock } from './clock/clock.js';
export { instantOf } from './clock/instant.js';
export { collectStartupGarbage } from './startup-garbage.js';
export { firstIdAt, isId, newId } from './ids/id.js';
export { Notices, POSITIONS_TOPIC } from './database/notices.js';
export { statementOf } from './database/builder-statement.js';
export {
  GeneratedPositionColumn,
  IdColumn,
  JsonColumn,
  PositionColumn,
  TimeColumn,
} from './database/columns.js';
export {
  DatabaseUnavailableError,
  dataSourceOptions,
  type EntityClass,
  type MigrationClass,
  openDataSource,
} from './database/data-source.js';
export { DatabaseModule, longReadsOf, noticesOf, writerOf } from './database/database.module.js';
export { DatabaseProbe } from './database/database-probe.js';
export { type EntityRow, EntityRows } from './database/entity-rows.js';
export { DatabaseInUseError } from './database/sqlite-lock.js';
export { sqliteFault } from './database/sqlite-faults.js';
export { FreedSpace } from './database/freed-space.js';
export { HintCoalescer } from './database/hint-coalescer.js';
export { GatheredReads } from './database/gathered-reads.js';
export { KeptQueries } from './database/kept-queries.js';
export { FIRST, LongReads } from './database/long-reads.js';
export { inBackground } from './database/statement-limits.js';
export { SqlReader } from './database/sql-reader.js';
export { type SchemaSteps, withSchemaLocked } from './database/migrations.js';
export { marked, markedStatement, marksOf } from './database/marked.js';
export { throughOutages } from './database/through-outages.js';
export { checkShape, type Columns, insertShape, updateShape } from './database/row-shape.js';
export {
  DIALECT,
  type Dialect,
  type RowShape,
  type RowWrite,
  type SqlValue,
  type Statement,
  type UnitOfWork,
  type DeletionEffect,
  type Write,
  Writer,
} from './database/unit-of-work.js';
export {
  type ErrorDetails,
  type ErrorOptions,
  type ErrorStatus,
  type ErrorType,
  ERROR_TYPES,
  ServiceError,
} from './http/service-error.js';
export {
  AuthenticationError,
  ConflictError,
  type InputFault,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnavailableError,
  UnknownPathError,
  ValidationError,
} from './http/errors.js';
export { type Answer, Idempotency, type KeyClaim } from './idempotency/idempotency.js';
export { IdempotencyEntity } from './idempotency/idempotency.entity.js';
export { Idempotent, TakesIdempotencyKey } from './idempotency/idempotency.interceptor.js';
export { KeyedAnswers } from './idempotency/keyed-answers.js';
export { IdempotencyModule } from './idempotency/idempotency.module.js';
export { type CursorValues, decodeCursor } from './http/cursor.js';
export { type ErrorBody, errorBody } from './http/error-answer.js';
export { ErrorFilter } from './http/error.filter.js';
export { etagOf, requireMatch } from './http/etag.js';
export { HttpAdapter } from './http/http-adapter.js';
export { configureHttp, type HttpOptions } from './http/http-application.js';
export { type ConnectionLimitOptions, countAsAuthenticated } from './http/connection-limit.js';
export { isRefused } from './http/connections.js';
export { IdentifierPipe, IdParam } from './http/identifier.pipe.js';
export { IgnoresReadOnly } from './http/read-only-fields.js';
export { IfMatch, TakesIfMatch } from './http/if-match.js';
export { AnyInput, InputGuard } from './http/input.guard.js';
export { IntegerParam } from './http/integer.pipe.js';
export { localUrl } from './http/local-url.js';
export { mergePatch } from './http/merge-patch.js';
export { type ApiDescription, setupOpenApi } from './http/openapi.js';
export {
  ApiAnswers,
  ApiErrors,
  ApiPage,
  type DocumentedAnswer,
  ETAG_HEADER,
  LOCATION_HEADER,
} from './http/openapi-decorators.js';
export { PageQuery, Pagination } from './http/page.dto.js';
export { idPlace, type IdPlace, page, type Page, type PageSource, requireOnePlace } from './http/page.js';
export { REQUEST_ID_HEADER, requestIdOf } from './http/request-id.js';
export { isHttps, publicUrl } from './http/public-url.js';
export { basePathOf, pathOf, withoutBasePath } from './http/request-path.js';
export { readTlsFiles } from './http/tls.js';
export { UnknownPathModule } from './http/unknown-path.module.js';
export { BodyMayBeAbsent, ValidationPipe } from './http/validation.pipe.js';
export { RedisLink } from './redis/redis-link.js';
export { REDIS, RedisModule } from './redis/redis.module.js';
export { ChannelsRefusedError, type HeardChannel, SealedChannels } from './redis/sealed-channels.js';
export { LoggingModule, ServiceLogger } from './logging/logging.module.js';
export { holdOpen } from './logging/slow-request-log.js';
