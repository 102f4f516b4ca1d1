import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Pipeline, STEADY } from '../writer/postgres-pipeline.js';
import { DEFAULT_LIMIT_MS, StatementWatch } from '../../database/index.js';

/**
 * Statements that PostgreSQL is asked again and again: it reads and plans each of them once a connection, and no layer lies
 * between. So their texts are few; lists are parameters.
 */
export class KeptQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** Its rows, read as the driver reads them. What it writes is committed by itself. */
  async query<Row>(text: string, parameters: readonly KeptParameter[]): Promise<readonly Row[]> {
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

/** What limits the statements of a data source on PostgreSQL. */
export function watchOf({ options }: DataSource): StatementWatch {
  const { extra } = options as { readonly extra?: { readonly watch?: unknown } };
  return extra?.watch instanceof StatementWatch ? extra.watch : new StatementWatch(DEFAULT_LIMIT_MS);
}

/** The connections that a data source on PostgreSQL has. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}
