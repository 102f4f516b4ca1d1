import type { DataSource } from 'typeorm';
import { marked } from './marked.ts';
import { connectionOf } from '../../database/index.ts';
import type { Dialect } from '../writer/unit-of-work.ts';

/**
 * Maximum number of cached statements. The limit is necessary, because lists with many filters produce many different
 * statement texts.
 */
const MAX_STATEMENTS = 200;

type Ask = (parameters: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;

/** Runs handwritten SQL for frequent requests. On SQLite, TypeORM would take longer than the read itself. */
export class PreparedReads {
  private readonly statements = new Map<string, Ask>();

  /** @param head text with which all statements begin */
  constructor(
    private readonly dataSource: DataSource,
    private readonly dialect: Dialect,
    private readonly head = '',
  ) {}

  /** @param sql the rest of the statement after `head`, used as the cache key; `?` marks parameters */
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
