import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Json, JsonObject } from '../expressions/index.js';
import { firstIdAt } from '../platform/index.js';
import {
  DIALECT,
  type Dialect,
  marked,
  markedStatement,
  marksOf,
  type Statement,
  Writer,
} from '../storage/index.js';
import { type SearchedExecution, wordsOf } from './words.js';

export interface IndexWatermark {
  readonly upToId: string;
  readonly revision: number;
}

export interface IndexedRow extends SearchedExecution {
  readonly projectId: string;
  readonly hasEnded: boolean;
}

export interface WordEntry {
  readonly projectId: string;
  readonly word: string;
  readonly executionId: string;
}

interface StoredRow {
  readonly id: string;
  readonly project_id: string;
  readonly input: string | null;
  readonly metadata: string | JsonObject;
  readonly error: string | SearchedExecution['error'];
  readonly finished_at: string | Date | null;
}

const BEGIN: IndexWatermark = { upToId: firstIdAt(0), revision: 0 };

const ROW = 'e.id, e.project_id, e.input, e.metadata, e.error, e.finished_at';

/**
 * SQL that reads index entries from one JSON parameter, so that the statement's text does not depend on the number of
 * entries.
 */
const ENTRIES: Readonly<Record<Dialect, string>> = {
  sqlite: 'SELECT v.value ->> 0, v.value ->> 1, v.value ->> 2 FROM json_each(?) AS v WHERE true',
  postgres:
    'SELECT (v ->> 0)::uuid, v ->> 1, (v ->> 2)::uuid FROM json_array_elements(?::json) AS v WHERE true',
};

/**
 * Reads and writes the word index. Adding entries increments the revision of the index, and a commit with an outdated
 * revision fails. Concurrent processes therefore skip no execution.
 */
@Injectable()
export class WordIndexRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly writer: Writer,
  ) {}

  async watermark(): Promise<IndexWatermark> {
    const [row] = await this.query<{ up_to_id: string; revision: number | string }>(
      'SELECT up_to_id, revision FROM search_watermark WHERE id = 1',
      [],
    );
    return row === undefined ? BEGIN : { upToId: row.up_to_id, revision: Number(row.revision) };
  }

  /** Returns the executions with ids after `afterId` and before `beforeId`, oldest first. */
  async between(afterId: string, beforeId: string, limit: number): Promise<readonly IndexedRow[]> {
    return this.rows(`e.id > ? AND e.id < ? ORDER BY e.id LIMIT ${limit}`, [afterId, beforeId]);
  }

  /** Returns the newest executions of a project that have ids greater than `afterId`, newest first. */
  async newest(projectId: string, afterId: string, limit: number): Promise<readonly IndexedRow[]> {
    return this.rows(`e.project_id IN (?) AND e.id > ? ORDER BY e.id DESC LIMIT ${limit}`, [
      projectId,
      afterId,
    ]);
  }

  /** Returns the executions with the given ids in any order. Ids of missing executions are ignored. */
  async byId(ids: readonly string[]): Promise<readonly IndexedRow[]> {
    return ids.length === 0 ? [] : this.rows(`e.id IN (${marksOf(ids)})`, ids);
  }

  /**
   * Returns the ids of late rows that are greater than `afterId`, in ascending order. A late row is an execution that
   * was indexed before it ended.
   */
  async lateRows(afterId: string, limit: number): Promise<readonly string[]> {
    const rows = await this.query<{ execution_id: string }>(
      `SELECT execution_id FROM search_late_rows WHERE execution_id > ? ORDER BY execution_id LIMIT ${limit}`,
      [afterId],
    );
    return rows.map(({ execution_id: id }) => id);
  }

  /**
   * Adds the words of executions to the index, and moves the watermark to the last of the executions.
   *
   * @returns false if another process changed the index in the meantime
   */
  async advance(from: IndexWatermark, rows: readonly IndexedRow[]): Promise<boolean> {
    const upToId = rows.at(-1)?.id ?? from.upToId;
    const late = rows
      .filter(({ hasEnded }) => !hasEnded)
      .map(({ id }) => this.statement('INSERT INTO search_late_rows (execution_id) VALUES (?)', [id]));
    return this.change({ ...from, upToId }, [this.insertion(rows), ...late]);
  }

  /**
   * Adds the words of ended executions to the index, including the words of their errors. Then deletes the late rows of
   * these executions and of deleted executions.
   * @param ended executions that were indexed before they ended
   * @param removed ids of deleted executions that have a late row
   * @returns false if another process changed the index in the meantime
   */
  async settle(
    from: IndexWatermark,
    ended: readonly IndexedRow[],
    removed: readonly string[],
  ): Promise<boolean> {
    const ids = [...ended.map(({ id }) => id), ...removed];
    return this.change(from, [
      this.insertion(ended),
      this.statement(`DELETE FROM search_late_rows WHERE execution_id IN (${marksOf(ids)})`, ids),
    ]);
  }

  async entriesAfter(after: WordEntry, limit: number): Promise<readonly WordEntry[]> {
    const rows = await this.query<{ project_id: string; word: string; execution_id: string }>(
      `SELECT project_id, word, execution_id FROM search_words
       WHERE (project_id, word, execution_id) > (?, ?, ?) ORDER BY project_id, word, execution_id LIMIT ${limit}`,
      [after.projectId, after.word, after.executionId],
    );
    return rows.map((row) => ({
      projectId: row.project_id,
      word: row.word,
      executionId: row.execution_id,
    }));
  }

  async removeOrphans(entries: readonly WordEntry[]): Promise<void> {
    const ids = [...new Set(entries.map(({ executionId }) => executionId))];
    if (ids.length === 0) return;
    const found = await this.query<{ id: string }>(
      `SELECT id FROM executions WHERE id IN (${marksOf(ids)})`,
      ids,
    );
    const existing = new Set(found.map(({ id }) => id));
    const orphans = entries.filter(({ executionId }) => !existing.has(executionId));
    if (orphans.length === 0) return;
    await this.writer.commit({
      writes: [
        this.statement(
          `DELETE FROM search_words WHERE (project_id, word, execution_id) IN (${ENTRIES[this.dialect]})`,
          [JSON.stringify(orphans.map(({ projectId, word, executionId }) => [projectId, word, executionId]))],
        ),
      ],
    });
  }

  private async change({ upToId, revision }: IndexWatermark, writes: readonly Statement[]): Promise<boolean> {
    const guard = this.statement(
      `INSERT INTO search_watermark (id, up_to_id, revision) VALUES (1, ?, 1)
       ON CONFLICT (id) DO UPDATE SET up_to_id = excluded.up_to_id, revision = search_watermark.revision + 1
       WHERE search_watermark.revision = ?`,
      [upToId, revision],
    );
    try {
      await this.writer.commit({ writes: [{ ...guard, orFail: () => new IndexChanged() }, ...writes] });
      return true;
    } catch (error) {
      if (error instanceof IndexChanged) return false;
      throw error;
    }
  }

  private insertion(rows: readonly IndexedRow[]): Statement {
    const entries = rows.flatMap((row) => [...wordsOf(row)].map((word) => [row.projectId, word, row.id]));
    return this.statement(
      `INSERT INTO search_words (project_id, word, execution_id) ${ENTRIES[this.dialect]} ON CONFLICT DO NOTHING`,
      [JSON.stringify(entries)],
    );
  }

  private async rows(where: string, parameters: readonly unknown[]): Promise<readonly IndexedRow[]> {
    const rows = await this.query<StoredRow>(`SELECT ${ROW} FROM executions AS e WHERE ${where}`, parameters);
    return rows.map(indexedRow);
  }

  private statement(sql: string, parameters: readonly unknown[]): Statement {
    return markedStatement(this.dialect, sql, parameters);
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

function indexedRow(row: StoredRow): IndexedRow {
  return {
    id: row.id,
    projectId: row.project_id,
    hasEnded: row.finished_at !== null,
    input: row.input === null ? null : (JSON.parse(row.input) as Json),
    metadata: parsed(row.metadata),
    error: parsed(row.error),
  };
}

/**
 * Returns the value of a JSON column. The SQLite driver returns the column as text, which is parsed here. The
 * PostgreSQL driver returns a parsed value.
 */
function parsed<Value>(value: string | Value): Value {
  return typeof value === 'string' ? (JSON.parse(value) as Value) : value;
}

/** Thrown inside a commit to refuse it if another process has changed the word index. */
class IndexChanged extends Error {}
