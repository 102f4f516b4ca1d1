export type { CommitListener } from './commit-health.js';
export { DatabaseProbe } from './database-probe.js';
export { DatabaseModule } from './database.module.js';
export { HintCoalescer } from './hint-coalescer.js';
export { Notifications, POSITIONS_TOPIC, READERS_TOPIC } from './notifications/notifications.ts';
export {
  deleteStatement,
  insertStatement,
  statementOf,
  updateStatement,
} from './queries/builder-statement.js';
export { type EntityRow, EntityRows } from './queries/entity-rows.js';
export { BatchLoader } from './queries/batch-loader.ts';
export { PreparedQueries } from './queries/prepared-queries.ts';
export { FIRST, SlowQueryRefusedError, SlowQueryRunner } from './queries/slow-query-runner.ts';
export { marked, markedStatement, marksOf } from './queries/marked.js';
export { PreparedReads } from './queries/prepared-reads.ts';
export { StorageModule } from './storage.module.js';
export { DiskReclaimer } from './writer/disk-reclaimer.ts';
export { checkShape, insertShape, updateShape } from './writer/row-shape.js';
export {
  type DeletionEffect,
  DIALECT,
  type Dialect,
  type RowShape,
  type RowWrite,
  type SqlValue,
  type Statement,
  type UnitOfWork,
  type Write,
  Writer,
} from './writer/unit-of-work.js';
