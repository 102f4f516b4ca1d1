export {
  IDENTITY_TRANSFORMER,
  GeneratedPositionColumn,
  IdColumn,
  JsonColumn,
  PositionColumn,
  TimeColumn,
  WordColumn,
} from './columns.js';
export {
  DatabaseUnavailableError,
  dataSourceOptions,
  type EntityClass,
  type MigrationClass,
  openDataSource,
} from './data-source.js';
export { isDatabaseUnavailable } from './database-unavailable.js';
export { withSchemaLocked } from './migrations.js';
export { PluginMigrationEntity } from './plugin-migration.entity.js';
export { applyPluginSchemas, type PluginSchema, pluginSteps } from './plugin-schema.js';
export { newPostgresClient } from './postgres-options.js';
export { loadedEntities, requireSchema, SchemaError } from './schema-check.js';
export { isShared } from './shared-connections.js';
export { connectionOf, prepareReader } from './sqlite-connection.js';
export { SqliteError } from './sqlite-error.js';
export { Corruption, corruptionOf, sqliteFault } from './sqlite-faults.js';
export { DatabaseInUseError, SqliteLock } from './sqlite-lock.js';
export {
  asLongRead,
  asRequest,
  inBackground,
  requestLimit,
  requestLimitMs,
  StatementTimeoutError,
  StatementWatch,
  withinRequest,
} from './statement-limits.js';
export { throughOutages } from './through-outages.js';
