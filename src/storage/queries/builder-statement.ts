import type { Statement } from '../writer/unit-of-work.js';

/** A query builder that can say its SQL; every TypeORM builder can. */
interface SqlBuilder {
  getQueryAndParameters(): [string, unknown[]];
}

/** The statement of an insert, update or delete builder, for a unit of work. */
export function statementOf(
  builder: SqlBuilder,
  outcome: Pick<Statement, 'orFail' | 'onDuplicate'> = {},
): Statement {
  const [sql, parameters] = builder.getQueryAndParameters();
  return { sql, parameters, ...outcome };
}
