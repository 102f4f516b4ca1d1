import type { Dialect, Statement } from '../writer/unit-of-work.js';

/** SQL with `?` for its parameters, as the database wants it. No `?` may stand in it for anything else. */
export function marked(dialect: Dialect, sql: string): string {
  let index = 0;
  return dialect === 'postgres' ? sql.replaceAll('?', () => `$${++index}`) : sql;
}

/** A statement whose parameters are marked by `?`, as a database wants it. */
export function markedStatement(dialect: Dialect, sql: string, parameters: readonly unknown[]): Statement {
  return { sql: marked(dialect, sql), parameters };
}

/**
 * As many marks as there are values, for an `IN`. In a statement that is sorted a single value is asked for by `IN`, too:
 * to compare a column with it by `=`, SQLite would plan anew at each run, as it does for a mark behind `LIMIT`. Both
 * may depend on what the mark stands for.
 */
export function marksOf(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
