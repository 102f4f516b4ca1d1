import type { QueryRunner } from 'typeorm';

/** SQL types that differ between SQLite and PostgreSQL. */
export interface ColumnTypes {
  readonly id: string;
  readonly time: string;
  readonly json: string;
  readonly position: string;
}

const SQLITE: ColumnTypes = { id: 'varchar', time: 'varchar', json: 'text', position: 'integer' };
const POSTGRES: ColumnTypes = { id: 'uuid', time: 'timestamptz(3)', json: 'json', position: 'bigint' };

export function columnTypes({ dataSource }: QueryRunner): ColumnTypes {
  return dataSource.options.type === 'postgres' ? POSTGRES : SQLITE;
}
