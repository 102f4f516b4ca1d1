import type { Dialect, Statement } from '../writer/unit-of-work.js';

/** Converts `?` parameters to the syntax of the database. The SQL must contain no other `?`. */
export function marked(dialect: Dialect, sql: string): string {
  let index = 0;
  return dialect === 'postgres' ? sql.replaceAll('?', () => `$${++index}`) : sql;
}

/** A statement with `?` parameters, converted to the syntax of the database. */
export function markedStatement(dialect: Dialect, sql: string, parameters: readonly unknown[]): Statement {
  return { sql: marked(dialect, sql), parameters };
}

/** One `?` per value, for an `IN` list. SQLite would make a new plan for each value of `= ?`. */
export function marksOf(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
