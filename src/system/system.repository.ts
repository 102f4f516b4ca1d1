import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, SlowQueryRunner } from '../storage/index.js';

const MAX_TABLES = 10;

/** Maximum size in bytes of a SQLite database whose tables are measured. A measurement reads every page of the file. */
const MAX_MEASURED_BYTES = 512 * 1024 * 1024;

export interface TableSize {
  readonly name: string;
  /** Size of the table in bytes, including its indexes. */
  readonly bytes: number;
}

export interface DatabaseSize {
  readonly dialect: Dialect;
  readonly bytes: number;
  /**
   * The ten largest tables, the largest first. Null for a SQLite database over 512 MiB, whose tables are not measured.
   */
  readonly tables: readonly TableSize[] | null;
}

@Injectable()
export class SystemRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {}

  async size(): Promise<DatabaseSize> {
    const { dialect } = this;
    const [row] = await this.dataSource.query<readonly { readonly bytes: number | string }[]>(
      dialect === 'postgres'
        ? 'SELECT pg_database_size(current_database()) AS bytes'
        : 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    );
    const bytes = Number(row?.bytes ?? 0);
    const isMeasured = dialect === 'postgres' || bytes <= MAX_MEASURED_BYTES;
    return { dialect, bytes, tables: isMeasured ? await this.tables() : null };
  }

  private async tables(): Promise<readonly TableSize[]> {
    const rows = await this.slowQueries.rows<{ readonly name: string; readonly bytes: number | string }>(
      this.dialect === 'postgres'
        ? `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
           WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 2 DESC LIMIT ${MAX_TABLES}`
        : `SELECT m.tbl_name AS name, sum(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_master m ON m.name = s.name
           WHERE s.aggregate = TRUE GROUP BY m.tbl_name ORDER BY 2 DESC LIMIT ${MAX_TABLES}`,
      [],
    );
    return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
  }
}
