export {
  AS_IT_IS,
  GeneratedPositionColumn,
  IdColumn,
  JsonColumn,
  PositionColumn,
  TimeColumn,
} from './columns.js';
export {
  DatabaseUnavailableError,
  dataSourceOptions,
  type EntityClass,
  makeOwn,
  type MigrationClass,
  openDataSource,
} from './data-source.js';
export { databaseIsAway } from './database-away.js';
export { withSchemaLocked } from './migrations.js';
export { PluginMigrationEntity } from './plugin-migration.entity.js';
export { applyPluginSchemas, type PluginSchema, pluginSteps } from './plugin-schema.js';
export { loadedEntities, requireSchema, SchemaError } from './schema-check.js';
export { connectionOf, prepareReader } from './sqlite-connection.js';
export { SqliteError } from './sqlite-error.js';
export { Corruption, corruptionOf, sqliteFault } from './sqlite-faults.js';
export { DatabaseInUseError, SqliteLock } from './sqlite-lock.js';
export {
  asRequest,
  DEFAULT_LIMIT_MS,
  inBackground,
  longReadLimitMs,
  requestLimit,
  requestLimitMs,
  StatementTimeoutError,
  StatementWatch,
  withinRequest,
  withStatementLimit,
} from './statement-limits.js';
export { throughOutages } from './through-outages.js';
