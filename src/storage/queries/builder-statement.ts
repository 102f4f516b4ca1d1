import type { Statement } from '../writer/unit-of-work.js';

interface SqlBuilder {
  getQueryAndParameters(): [string, unknown[]];
}

/** Converts a query builder for an insert, update or delete to a statement of a unit of work. */
export function statementOf(
  builder: SqlBuilder,
  outcome: Pick<Statement, 'orFail' | 'onDuplicate'> = {},
): Statement {
  const [sql, parameters] = builder.getQueryAndParameters();
  return { sql, parameters, ...outcome };
}
