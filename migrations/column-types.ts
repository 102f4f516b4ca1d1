import type { QueryRunner } from 'typeorm';

/** SQL types that differ between SQLite and PostgreSQL. */
export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly json: string;
  /** Type of a 64-bit counter. */
  readonly position: string;
}

const SQLITE: ColumnTypes = { id: 'varchar', time: 'varchar', json: 'text', position: 'integer' };
const POSTGRES: ColumnTypes = { id: 'uuid', time: 'timestamptz(3)', json: 'json', position: 'bigint' };

/** The column types of a migration's database. */
export function columnTypes({ dataSource }: QueryRunner): ColumnTypes {
  return dataSource.options.type === 'postgres' ? POSTGRES : SQLITE;
}
