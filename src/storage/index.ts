export type { CommitListener } from './commit-health.js';
export { DatabaseProbe } from './database-probe.js';
export { DatabaseModule } from './database.module.js';
export { HintCoalescer } from './hint-coalescer.js';
export { Notices, POSITIONS_TOPIC } from './notifications/notices.js';
export { statementOf } from './queries/builder-statement.js';
export { type EntityRow, EntityRows } from './queries/entity-rows.js';
export { GatheredReads } from './queries/gathered-reads.js';
export { KeptQueries } from './queries/kept-queries.js';
export { FIRST, LongReadRefusedError, LongReads } from './queries/long-reads.js';
export { marked, markedStatement, marksOf } from './queries/marked.js';
export { SqlReader } from './queries/sql-reader.js';
export { StorageModule } from './storage.module.js';
export { FreedSpace } from './writer/freed-space.js';
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
