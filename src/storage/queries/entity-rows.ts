import type { DataSource, EntityTarget } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { AS_IT_IS } from '../../database/index.js';
import type { LongReads } from './long-reads.js';
import { SqlReader } from './sql-reader.js';
import type { Dialect } from '../writer/unit-of-work.js';

/** A row of an entity's columns as the driver reads it, by the names of the properties. */
export type EntityRow = Record<string, unknown>;

/** What both drivers read as the value that it is in code. */
const PLAIN: ReadonlySet<ColumnMetadata['type']> = new Set(['varchar', 'text', 'integer', 'uuid']);

/**
 * Rows of an entity that are read by SQL of one's own. The entity says what a column is called and how its value is
 * read, as for the query builder; but no query is put together for each reading, which took longer than the reading.
 */
export class EntityRows<Entity extends object> {
  private readonly reader: SqlReader;
  private readonly head: string;
  private readonly names: readonly Pick<ColumnMetadata, 'databaseName' | 'propertyName'>[];
  private readonly table: string;
  private readonly readers: readonly {
    readonly property: string;
    readonly read: (value: unknown) => unknown;
  }[];

  constructor(dataSource: DataSource, dialect: Dialect, entity: EntityTarget<Entity>) {
    const { columns, tableName } = dataSource.getMetadata(entity);
    this.names = columns;
    this.table = tableName;
    this.head = `SELECT ${this.columns('e')} FROM ${tableName} AS e WHERE `;
    this.reader = new SqlReader(dataSource, dialect, this.head);
    this.readers = columns
      .filter(({ type, transformer = AS_IT_IS }) => !PLAIN.has(type) || transformer !== AS_IT_IS)
      .map((column) => ({
        property: column.propertyName,
        read: (value) => dataSource.driver.prepareHydratedValue(value, column) as unknown,
      }));
  }

  /** What to select; `table` has the columns of the entity. */
  columns(table = this.table): string {
    return this.names
      .map(({ databaseName, propertyName }) => `${table}.${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  /** @param where what follows in the statement, the order included; the rows are `e`, `?` marks its parameters */
  async find(where: string, parameters: readonly unknown[]): Promise<readonly Entity[]> {
    const rows = await this.reader.rows<EntityRow>(where, parameters);
    return rows.map((row) => this.read(row));
  }

  /** The same where it may take long. */
  async findLong(
    reads: LongReads,
    where: string,
    parameters: readonly unknown[],
  ): Promise<readonly Entity[]> {
    const rows = await reads.rows<EntityRow>(this.head + where, parameters);
    return rows.map((row) => this.read(row));
  }

  /** Makes of a row the entity that it is. */
  read(row: EntityRow): Entity {
    for (const { property, read } of this.readers) row[property] = read(row[property]);
    // Every column of the entity is there, read as its decorator says.
    return row as Entity;
  }
}
