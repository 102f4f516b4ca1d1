import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { DIALECT, type Dialect, marked, markedStatement, Writer } from '../storage/index.js';

export interface TraceExport {
  readonly id: string;
  /** Id of the process that must export the spans of this row. */
  readonly instanceId: string;
  readonly exportedTo: number;
  /**
   * Journal position up to which a dead process may have committed. Null while the process that wrote the row is alive.
   */
  readonly endsAt: number | null;
}

class NoRowError extends Error {}

@Injectable()
export class TraceExportsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async insert({ id, instanceId, exportedTo, endsAt }: TraceExport): Promise<void> {
    await this.change(
      'INSERT INTO trace_exports (id, instance_id, exported_to, ends_at, updated_at) VALUES (?, ?, ?, ?, ?)',
      [id, instanceId, exportedTo, endsAt, this.now],
    );
  }

  /** @returns false if another process considered this process dead and took over the row */
  advance(id: string, instanceId: string, exportedTo: number): Promise<boolean> {
    return this.change(
      'UPDATE trace_exports SET exported_to = ?, updated_at = ? WHERE id = ? AND instance_id = ?',
      [exportedTo, this.now, id, instanceId],
    );
  }

  /** Returns the rows of processes that are missing from the table `instances`, at most 100 rows. */
  async orphans(): Promise<readonly TraceExport[]> {
    const rows = await this.dataSource.query<
      readonly {
        readonly id: string;
        readonly instance_id: string;
        readonly exported_to: number | string;
        readonly ends_at: number | string | null;
      }[]
    >(
      marked(
        this.dialect,
        `SELECT id, instance_id, exported_to, ends_at FROM trace_exports
         WHERE instance_id NOT IN (SELECT id FROM instances) ORDER BY exported_to LIMIT 100`,
      ),
    );
    return rows.map(({ id, instance_id, exported_to, ends_at }) => ({
      id,
      instanceId: instance_id,
      exportedTo: Number(exported_to),
      endsAt: ends_at === null ? null : Number(ends_at),
    }));
  }

  /** @returns false if another process took over the row first */
  takeOver({ id, instanceId }: TraceExport, successorId: string, endsAt: number): Promise<boolean> {
    return this.change(
      'UPDATE trace_exports SET instance_id = ?, ends_at = ?, updated_at = ? WHERE id = ? AND instance_id = ?',
      [successorId, endsAt, this.now, id, instanceId],
    );
  }

  remove(id: string): Promise<boolean> {
    return this.change('DELETE FROM trace_exports WHERE id = ?', [id]);
  }

  private get now(): string {
    return isoTime(this.clock.now());
  }

  /** @returns whether the statement changed a row */
  private async change(text: string, parameters: readonly unknown[]): Promise<boolean> {
    const statement = markedStatement(this.dialect, text, parameters);
    try {
      await this.writer.commit({ writes: [{ ...statement, orFail: () => new NoRowError() }] });
      return true;
    } catch (error) {
      if (error instanceof NoRowError) return false;
      throw error;
    }
  }
}
