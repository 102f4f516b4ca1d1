import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { CLOCK, type Clock, isoTime, newId } from '../../platform/index.js';
import {
  DIALECT,
  type Dialect,
  insertShape,
  marked,
  markedStatement,
  marksOf,
  type Write,
  Writer,
} from '../../storage/index.js';
import type { Execution } from '../execution.js';
import { InstanceRegistry } from '../../instances/index.js';
import { CancellationJobEntity } from './cancellation-job.entity.js';

export interface CancellationJob {
  readonly id: string;
  readonly kind: CancellationJobEntity['kind'];
  readonly subjectId: string;
  readonly reason: string | null;
}

/** An orphan: an unfinished execution whose parent has ended. */
export interface Orphan {
  readonly id: string;
  readonly parentId: string;
  /** Id of the tree's root execution. Null if an older version of the service started the execution. */
  readonly rootId: string | null;
}

const INSERT = insertShape('cancellation_jobs', {
  id: 'uuid',
  kind: 'text',
  subject_id: 'uuid',
  reason: 'text',
  owner: 'uuid',
  created_at: 'timestamptz',
});

@Injectable()
export class CancellationJobRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns a job that cancels the descendants of an execution. The commit that ends the execution must also store the
   * job.
   */
  ofTree({ id, rootId }: Pick<Execution, 'id' | 'rootId'>): CancellationJob {
    return { id, kind: 'tree', subjectId: rootId ?? id, reason: null };
  }

  ofOwner(kind: 'workflow' | 'session' | 'project', subjectId: string, reason: string): CancellationJob {
    return { id: newId(), kind, subjectId, reason };
  }

  insert({ id, kind, subjectId, reason }: CancellationJob): Write {
    const row = [id, kind, subjectId, reason, this.instance.id, isoTime(this.clock.now())];
    return { shape: INSERT, row };
  }

  /**
   * Takes over the cancellation jobs of dead processes.
   *
   * @returns all cancellation jobs of this process, including the earlier ones
   */
  async adopt(): Promise<readonly CancellationJob[]> {
    const left = 'owner IS NULL OR owner NOT IN (SELECT id FROM instances)';
    const jobs = await this.list(`owner = ? OR ${left}`, [this.instance.id]);
    if (jobs.length === 0) return [];
    await this.writer.commit({
      writes: [
        markedStatement(this.dialect, `UPDATE cancellation_jobs SET owner = ? WHERE ${left}`, [
          this.instance.id,
        ]),
      ],
    });
    return this.list('owner = ?', [this.instance.id]);
  }

  async remove(ids: readonly string[]): Promise<void> {
    const text = `DELETE FROM cancellation_jobs WHERE id IN (${marksOf(ids)})`;
    await this.writer.commit({ writes: [markedStatement(this.dialect, text, ids)] });
  }

  /**
   * Returns unfinished executions whose parents have ended, at most `limit`.
   *
   * @param rootId id of the root of one tree; null to search all trees
   */
  async orphans(rootId: string | null, limit: number): Promise<readonly Orphan[]> {
    const rows = await this.query<{ id: string; parent_id: string; root_id: string | null }>(
      `SELECT c.id, c.parent_id, c.root_id FROM executions c JOIN executions p ON p.id = c.parent_id
        WHERE ${rootId === null ? 'c.parent_id IS NOT NULL' : 'c.root_id = ?'}
          AND c.finished_at IS NULL AND p.finished_at IS NOT NULL LIMIT ${limit}`,
      rootId === null ? [] : [rootId],
    );
    return rows.map(({ id, parent_id, root_id }) => ({ id, parentId: parent_id, rootId: root_id }));
  }

  /**
   * Maps each execution id to the id of its nearest ended ancestor. Ids of executions without an ended ancestor are not
   * in the map.
   */
  async endedAncestors(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query<{ descendant_id: string; id: string }>(
      `WITH RECURSIVE above(descendant_id, id, parent_id, finished_at) AS (
        SELECT c.id, p.id, p.parent_id, p.finished_at FROM executions c JOIN executions p ON p.id = c.parent_id
          WHERE c.id IN (${marksOf(ids)})
        UNION ALL
        SELECT above.descendant_id, p.id, p.parent_id, p.finished_at FROM executions p JOIN above ON p.id = above.parent_id
          WHERE above.finished_at IS NULL
      ) SELECT descendant_id, id FROM above WHERE finished_at IS NOT NULL`,
      ids,
    );
    return new Map(rows.map(({ descendant_id, id }) => [descendant_id, id]));
  }

  /**
   * Counts all descendants of an execution and the unfinished ones. Returns 0 for both counts if no descendant of the
   * root is unfinished.
   */
  async descendants({
    id,
    rootId,
  }: Pick<Execution, 'id' | 'rootId'>): Promise<{ readonly total: number; readonly unfinished: number }> {
    const unfinished = await this.unfinishedBelowRoot(rootId ?? id);
    if (unfinished === 0) return { total: 0, unfinished };
    const rows = await this.query<{ id: string; parent_id: string; finished_at: unknown }>(
      'SELECT id, parent_id, finished_at FROM executions WHERE root_id = ?',
      [rootId ?? id],
    );
    const byParent = Map.groupBy(rows, ({ parent_id }) => parent_id);
    const below = [...(byParent.get(id) ?? [])];
    // `for...of` also visits the rows that the loop adds to the array, so the loop reaches all levels.
    for (const row of below) below.push(...(byParent.get(row.id) ?? []));
    return {
      total: below.length,
      unfinished: below.filter(({ finished_at: at }) => at === null).length,
    };
  }

  private async unfinishedBelowRoot(rootId: string): Promise<number> {
    const [row] = await this.query<{ n: number | string }>(
      'SELECT count(*) AS n FROM executions WHERE root_id = ? AND finished_at IS NULL',
      [rootId],
    );
    return Number(row?.n ?? 0);
  }

  private async list(condition: string, parameters: readonly unknown[]): Promise<readonly CancellationJob[]> {
    const rows = await this.query<{
      id: string;
      kind: CancellationJobEntity['kind'];
      subject_id: string;
      reason: string | null;
    }>(`SELECT id, kind, subject_id, reason FROM cancellation_jobs WHERE ${condition}`, parameters);
    return rows.map(({ subject_id: subjectId, ...row }) => ({ ...row, subjectId }));
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}
