import type { DataSource, EntityTarget } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { IDENTITY_TRANSFORMER } from '../../database/index.js';
import type { SlowQueryRunner } from './slow-query-runner.ts';
import { PreparedReads } from './prepared-reads.ts';
import type { Dialect } from '../writer/unit-of-work.js';

/** A row with the columns of an entity, by property name. The values are as the database driver returns them. */
export type EntityRow = Record<string, unknown>;

/** Column types whose values need no conversion after a read with the driver of SQLite or PostgreSQL. */
const PLAIN: ReadonlySet<ColumnMetadata['type']> = new Set(['varchar', 'text', 'integer', 'uuid']);

/**
 * Reads rows of an entity with handwritten SQL, because TypeORM's query builder would take longer than the read itself.
 */
export class EntityRows<Entity extends object> {
  private readonly reader: PreparedReads;
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
    this.reader = new PreparedReads(dataSource, dialect, this.head);
    this.readers = columns
      .filter(
        ({ type, transformer = IDENTITY_TRANSFORMER }) =>
          !PLAIN.has(type) || transformer !== IDENTITY_TRANSFORMER,
      )
      .map((column) => ({
        property: column.propertyName,
        read: (value) => dataSource.driver.prepareHydratedValue(value, column) as unknown,
      }));
  }

  /**
   * Returns the columns of the entity as SQL for a `SELECT` list.
   *
   * @param table a table or alias that has the entity's columns
   */
  columns(table = this.table): string {
    return this.names
      .map(({ databaseName, propertyName }) => `${table}.${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  /**
   * @param where the SQL after `WHERE`, including `ORDER BY`; the table's alias is `e`, and `?` marks parameters
   */
  async find(where: string, parameters: readonly unknown[]): Promise<readonly Entity[]> {
    const rows = await this.reader.rows<EntityRow>(where, parameters);
    return rows.map((row) => this.read(row));
  }

  /** Reads rows of the entity like `find`, but through the runner for queries that take long. */
  async findLong(
    reads: SlowQueryRunner,
    where: string,
    parameters: readonly unknown[],
  ): Promise<readonly Entity[]> {
    const rows = await reads.rows<EntityRow>(this.head + where, parameters);
    return rows.map((row) => this.read(row));
  }

  read(row: EntityRow): Entity {
    for (const { property, read } of this.readers) row[property] = read(row[property]);
    // The cast is safe, because the row has every column of the entity, converted as the column's decorator specifies.
    return row as Entity;
  }
}
