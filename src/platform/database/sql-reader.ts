import type { Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { marked } from './marked.js';
import { connectionOf } from './sqlite-connection.js';
import type { Dialect } from './unit-of-work.js';

/** Prepared statements kept; lists that are narrowed in many ways have many texts. */
const MAX_STATEMENTS = 200;

/**
 * Asks statements of one's own, those of the most frequent requests. On SQLite they are kept prepared, and no layer lies
 * between: what each adds to a statement took longer than to read a row.
 */
export class SqlReader {
  private readonly statements = new Map<string, Statement>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly dialect: Dialect,
  ) {}

  /** @param sql with `?` for its parameters; one text a kind of question, as it is looked up by it */
  async rows<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    if (this.dialect === 'sqlite') return this.prepared(sql).all(...parameters) as readonly Row[];
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }

  private prepared(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      statement = connectionOf(this.dataSource).prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
