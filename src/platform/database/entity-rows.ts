import type { DataSource, EntityTarget } from 'typeorm';
import { marked } from './marked.js';
import type { Dialect } from './unit-of-work.js';

/** A row as the driver reads it, by the names of its columns. */
export type DriverRow = Readonly<Record<string, unknown>>;

/**
 * Rows of an entity that are read by SQL of one's own. The entity says what a column is called and how its value is
 * read, as for the query builder; but no query is put together for each reading, which took longer than the reading.
 */
export class EntityRows<Entity extends object> {
  /** What to select, of a table without an alias. */
  readonly columns: string;
  private readonly table: string;
  private readonly readers: readonly {
    readonly property: string;
    readonly column: string;
    readonly read: (value: unknown) => unknown;
  }[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly dialect: Dialect,
    entity: EntityTarget<Entity>,
  ) {
    const { columns, tableName } = dataSource.getMetadata(entity);
    this.table = tableName;
    this.readers = columns.map((column) => ({
      property: column.propertyName,
      column: column.databaseName,
      read: (value) => dataSource.driver.prepareHydratedValue(value, column) as unknown,
    }));
    this.columns = this.readers.map(({ column }) => `${tableName}.${column}`).join(', ');
  }

  /** @param where what follows in the statement, the order included; `?` marks its parameters */
  async find(where: string, parameters: readonly unknown[]): Promise<readonly Entity[]> {
    const sql = `SELECT ${this.columns} FROM ${this.table} WHERE ${where}`;
    const rows = await this.dataSource.query<readonly DriverRow[]>(marked(this.dialect, sql), [
      ...parameters,
    ]);
    return rows.map((row) => this.read(row));
  }

  read(row: DriverRow): Entity {
    const entity: Record<string, unknown> = {};
    for (const { property, column, read } of this.readers) entity[property] = read(row[column]);
    // Every column of the entity is there, read as its decorator says.
    return entity as Entity;
  }
}
