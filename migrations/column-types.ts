import type { QueryRunner } from 'typeorm';

/** SQL types of columns that differ between the databases. */
export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly json: string;
  /** A 64-bit counter. */
  readonly position: string;
}

const SQLITE: ColumnTypes = { id: 'varchar', time: 'varchar', json: 'text', position: 'integer' };
const POSTGRES: ColumnTypes = { id: 'uuid', time: 'timestamptz(3)', json: 'json', position: 'bigint' };

/** The column types of the database that a migration runs on. */
export function columnTypes({ dataSource }: QueryRunner): ColumnTypes {
  return dataSource.options.type === 'postgres' ? POSTGRES : SQLITE;
}
