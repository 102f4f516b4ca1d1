import type { DataSource } from 'typeorm';
import { marked } from './marked.js';
import { connectionOf } from '../../database/index.js';
import type { Dialect } from '../writer/unit-of-work.js';

/** Statements kept; lists that are narrowed in many ways have many texts. */
const MAX_STATEMENTS = 200;

type Ask = (parameters: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;

/**
 * Asks statements of one's own, those of the most frequent requests. On SQLite they are kept prepared, and no layer lies
 * between: what each adds to a statement took longer than to read a row.
 */
export class SqlReader {
  private readonly statements = new Map<string, Ask>();

  /** @param head what all of its statements begin with */
  constructor(
    private readonly dataSource: DataSource,
    private readonly dialect: Dialect,
    private readonly head = '',
  ) {}

  /** @param sql the rest of a statement, by which it is kept; `?` marks its parameters */
  async rows<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    let ask = this.statements.get(sql);
    if (ask === undefined) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      ask = this.prepared(this.head + sql);
      this.statements.set(sql, ask);
    }
    return (await ask(parameters)) as readonly Row[];
  }

  private prepared(sql: string): Ask {
    if (this.dialect === 'sqlite') {
      const statement = connectionOf(this.dataSource).prepare(sql);
      return (parameters) => statement.all(...parameters);
    }
    const text = marked(this.dialect, sql);
    return (parameters) => this.dataSource.query(text, [...parameters]);
  }
}
