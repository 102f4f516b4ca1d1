import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { marked } from './marked.js';
import { Pipeline, STEADY } from './postgres-pipeline.js';
import type { Dialect } from './unit-of-work.js';

/**
 * Statements that are asked again and again: PostgreSQL reads and plans each of them once a connection, and no layer lies
 * between. So their texts are few; lists are parameters.
 */
export class KeptQueries {
  constructor(
    private readonly dataSource: DataSource,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Its rows, read as the driver reads them. What it writes is committed by itself.
   * @param sql with `?` for its parameters, or as PostgreSQL has them; lists are for PostgreSQL alone
   */
  async query<Row>(sql: string, parameters: readonly KeptParameter[]): Promise<readonly Row[]> {
    if (this.dialect === 'sqlite') return this.dataSource.query<readonly Row[]>(sql, [...parameters]);
    const text = marked(this.dialect, sql);
    const client = await poolOf(this.dataSource).connect();
    try {
      const step = { text, values: parameters.map(textOf), isKept: true, isDescribed: true } as const;
      const [, result] = await client.query(new Pipeline([STEADY, step])).done;
      const { rows = [], columns = [] } = result ?? {};
      const readers = columns.map(
        ({ dataTypeID }) => client.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
      );
      return rows.map((row) => {
        const read: Record<string, unknown> = {};
        columns.forEach(({ name }, index) => {
          const value = row[index] ?? null;
          read[name] = value === null ? null : readers[index]?.(value);
        });
        return read as Row;
      });
    } finally {
      client.release();
    }
  }
}

/** Texts of a list hold neither commas nor quotes, as ids do. */
type KeptParameter = string | number | readonly string[];

function textOf(parameter: KeptParameter): string {
  return typeof parameter === 'object' ? `{${parameter.join(',')}}` : String(parameter);
}

/** The connections that a data source on PostgreSQL has. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}
