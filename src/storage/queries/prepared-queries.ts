import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Pipeline, PLANNER_SETTINGS } from '../writer/postgres-pipeline.ts';
import { StatementWatch } from '../../database/index.ts';

/**
 * Runs frequent statements on PostgreSQL without TypeORM. Each connection plans each statement text only once, so a
 * list of values should be one array parameter.
 */
export class PreparedQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs one statement in a transaction of its own. Writes of the statement are committed immediately. */
  async query<Row>(text: string, parameters: readonly KeptParameter[]): Promise<readonly Row[]> {
    const client = await poolOf(this.dataSource).connect();
    try {
      const step = { text, values: parameters.map(textOf), isKept: true, isDescribed: true } as const;
      const [, result] = await client.query(new Pipeline([PLANNER_SETTINGS, step])).done;
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

/**
 * A parameter of a prepared statement. Elements of a list must not contain commas or quotes, because the list becomes
 * an array literal without escapes.
 */
type KeptParameter = string | number | readonly string[];

function textOf(parameter: KeptParameter): string {
  return typeof parameter === 'object' ? `{${parameter.join(',')}}` : String(parameter);
}

export function watchOf({ options }: DataSource): StatementWatch {
  const { extra } = options as { readonly extra?: { readonly watch?: unknown } };
  return extra?.watch instanceof StatementWatch ? extra.watch : new StatementWatch();
}

export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}
