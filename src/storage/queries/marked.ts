import type { Dialect, Statement } from '../writer/unit-of-work.js';

/**
 * Converts the `?` parameters of a statement to the parameter syntax of the database. The SQL must contain no other
 * `?`.
 */
export function marked(dialect: Dialect, sql: string): string {
  let index = 0;
  return dialect === 'postgres' ? sql.replaceAll('?', () => `$${++index}`) : sql;
}

/** Creates a statement from SQL with `?` parameters. */
export function markedStatement(dialect: Dialect, sql: string, parameters: readonly unknown[]): Statement {
  return { sql: marked(dialect, sql), parameters };
}

/**
 * Returns one `?` per value, for an `IN` list. Use `IN` even for a single value, because SQLite would make a new plan
 * for each value of `= ?`.
 */
export function marksOf(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
