import type { ObjectLiteral, Repository } from 'typeorm';
import type { Statement } from '../writer/unit-of-work.js';

interface SqlBuilder {
  getQueryAndParameters(): [string, unknown[]];
}

type StatementErrors = Pick<Statement, 'orFail' | 'onDuplicate'>;

/** New values of a row, by property. A function returns an SQL expression. */
type NewValues<Row> = { readonly [Property in keyof Row]?: Row[Property] | (() => string) };

/**
 * Selects the rows to change: the values of their properties, or an SQL condition and its named parameters. The value
 * null selects rows where the property is null.
 */
type SelectedRows<Row> = Partial<Row> | SqlCondition;

type SqlCondition = readonly [sql: string, parameters: object];

/** Converts a query builder for an insert, update or delete to a statement of a unit of work. */
export function statementOf(builder: SqlBuilder, errors: StatementErrors = {}): Statement {
  const [sql, parameters] = builder.getQueryAndParameters();
  return { sql, parameters, ...errors };
}

/** Creates a statement that inserts a row. */
export function insertStatement<Row extends ObjectLiteral>(
  table: Repository<Row>,
  row: Readonly<Row>,
  errors?: StatementErrors,
): Statement {
  const values: object = row;
  return statementOf(table.createQueryBuilder().insert().into(table.target).values(values), errors);
}

/**
 * Creates a statement that sets values of the selected rows.
 * @throws Error if no property or condition selects the rows
 */
export function updateStatement<Row extends ObjectLiteral>(
  table: Repository<Row>,
  values: NewValues<Row>,
  rows: SelectedRows<Row>,
  errors?: StatementErrors,
): Statement {
  const set: object = values;
  return statementOf(
    table
      .createQueryBuilder()
      .update()
      .set(set)
      .where(...conditionOf(rows)),
    errors,
  );
}

/**
 * Creates a statement that deletes the selected rows.
 * @throws Error if no property or condition selects the rows
 */
export function deleteStatement<Row extends ObjectLiteral>(
  table: Repository<Row>,
  rows: SelectedRows<Row>,
  errors?: StatementErrors,
): Statement {
  return statementOf(
    table
      .createQueryBuilder()
      .delete()
      .where(...conditionOf(rows)),
    errors,
  );
}

function conditionOf(rows: object): SqlCondition {
  if (isSqlCondition(rows)) return rows;
  const terms = Object.entries(rows).map(([property, value]) =>
    value === null ? `${property} IS NULL` : `${property} = :${property}`,
  );
  if (terms.length === 0)
    throw new Error('A statement without a condition would change every row of its table.');
  return [terms.join(' AND '), rows];
}

function isSqlCondition(rows: object): rows is SqlCondition {
  return Array.isArray(rows);
}
