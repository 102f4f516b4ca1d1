import type { RowShape } from './unit-of-work.js';

/** PostgreSQL type of a column, which the statement needs for its array parameters. SQLite needs no column types. */
type PostgresType = 'uuid' | 'text' | 'integer' | 'bigint' | 'timestamptz' | 'json' | 'jsonb' | 'boolean';
export type Columns = Readonly<Record<string, PostgresType>>;

/** Returns the array parameter for the values of one column. JSON values are sent as text and cast in the statement. */
function arrayParameter(type: PostgresType, index: number): string {
  return `$${index + 1}::${type === 'json' || type === 'jsonb' ? 'text' : type}[]`;
}

function cast(name: string, type: PostgresType): string {
  return type === 'json' || type === 'jsonb' ? `v.${name}::${type}` : `v.${name}`;
}

/**
 * Returns the SQL of an insert as a `RowShape`. The values of each row are in the order of `columns`.
 *
 * @param generated a column that the database fills in, and the key columns that identify the row
 */
export function insertShape(
  table: string,
  columns: Columns,
  generated?: {
    readonly column: string;
    readonly key: readonly string[];
    /**
     * PostgreSQL expression for the position of the last write before this commit. The expression is null if other
     * commits may still get a position between that write and this commit.
     */
    readonly previous?: string;
  },
): RowShape {
  const names = Object.keys(columns);
  const entries = Object.entries(columns);
  const into =
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${entries.map(([name, type]) => cast(name, type)).join(', ')}` +
    ` FROM unnest(${entries.map(([, type], index) => arrayParameter(type, index)).join(', ')}) AS v(${names.join(', ')})`;
  const sqlite = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  if (generated === undefined) return { sqlite, postgres: into };
  const { column, key, previous } = generated;
  const found = [...key, column, ...(previous === undefined ? [] : [previous])].join(', ');
  return {
    sqlite,
    postgres: `${into} RETURNING ${found}`,
    returning: {
      key: key.map((name) => names.indexOf(name)),
    },
  };
}

/**
 * Returns the SQL of a conditional update as a `RowShape`. Each row contains the values of `set`, then the
 * values of `where`.
 *
 * @param guard further conditions on the row, as SQL over the table's columns
 */
export function updateShape(table: string, set: Columns, where: Columns, guard = ''): RowShape {
  const setNames = Object.keys(set);
  const whereNames = Object.keys(where);
  const all = [
    ...Object.entries(set).map(([name, type]) => ({ name, alias: `s_${name}`, type })),
    ...Object.entries(where).map(([name, type]) => ({ name, alias: `w_${name}`, type })),
  ];
  const and = guard === '' ? '' : ` AND ${guard}`;
  const postgres =
    `UPDATE ${table} AS t SET ${setNames.map((name) => `${name} = ${cast(`s_${name}`, set[name] ?? 'text')}`).join(', ')}` +
    ` FROM unnest(${all.map(({ type }, index) => arrayParameter(type, index)).join(', ')}) AS v(${all.map(({ alias }) => alias).join(', ')})` +
    ` WHERE ${whereNames.map((name) => `t.${name} = v.w_${name}`).join(' AND ')}${and}`;
  return {
    sqlite:
      `UPDATE ${table} SET ${setNames.map((name) => `${name} = ?`).join(', ')}` +
      ` WHERE ${whereNames.map((name) => `${name} = ?`).join(' AND ')}${and}`,
    postgres,
    postgresGuarded: allOf(`${postgres} RETURNING 1`),
  };
}

/**
 * Returns the SQL of a guard as a `RowShape`: a statement that checks a row without changing its values. Each
 * row contains the values of `where`.
 *
 * @param guard a further condition on the row, as SQL; the table's alias is `t`
 */
export function checkShape(table: string, where: Columns, guard: string): RowShape {
  const names = Object.keys(where);
  const arrays = Object.entries(where).map(([, type], index) => arrayParameter(type, index));
  const found =
    `SELECT 1 FROM unnest(${arrays.join(', ')}) AS v(${names.join(', ')}) JOIN ${table} AS t` +
    ` ON ${names.map((name) => `t.${name} = v.${name}`).join(' AND ')} AND ${guard}`;
  return {
    sqlite:
      `UPDATE ${table} AS t SET ${names[0]} = ${names[0]}` +
      ` WHERE ${names.map((name) => `${name} = ?`).join(' AND ')} AND ${guard}`,
    postgres: found,
    postgresGuarded: allOf(found),
  };
}

/**
 * Returns SQL that fails unless `rows` yields one row for each element of the first array parameter. The SQL fails by a
 * division by zero, because plain SQL cannot raise an error.
 */
function allOf(rows: string): string {
  return `WITH done AS (${rows}) SELECT 1 / (count(*) = cardinality($1))::integer FROM done`;
}
