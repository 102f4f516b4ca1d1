import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, marked, marksOf } from '../storage/index.js';

/**
 * The greatest Unicode character. A prefix followed by this character sorts after all words that start with the prefix.
 */
const LAST_CHARACTER = '\u{10FFFF}';

/** Maximum number of different words per project to which a search expands a frequent prefix. */
const MAX_WORDS = 50;

/** A searched id prefix has at least 8 characters, because shorter prefixes match too many executions. */
const ID_PREFIX = /^[0-9a-f]{8}(?:[0-9a-f-]{0,28})$/;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Looks up executions by words and id prefixes. Each query reads a bounded part of one database index. */
@Injectable()
export class WordLookupRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /**
   * Returns the executions that contain a word with the prefix, newest first. Null if more than `limit` index entries
   * match.
   */
  async all(prefix: string, projectIds: readonly string[], limit: number): Promise<readonly string[] | null> {
    const rows = await this.ids(
      `SELECT execution_id AS id FROM search_words
       WHERE project_id IN (${marksOf(projectIds)}) AND word >= ? AND word < ? LIMIT ${limit + 1}`,
      [...projectIds, prefix, prefix + LAST_CHARACTER],
    );
    return rows.length > limit ? null : [...new Set(rows)].toSorted().toReversed();
  }

  /**
   * Returns the newest executions that contain a word with the prefix, newest first. Uses only the first `MAX_WORDS`
   * different words of each project.
   */
  async newest(prefix: string, projectIds: readonly string[], limit: number): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const projectId of projectIds) {
      const words = await this.words(prefix, projectId);
      if (words.length === 0) continue;
      const parts = words.map(
        (_, index) =>
          `SELECT * FROM (SELECT execution_id AS id FROM search_words WHERE project_id IN (?) AND word IN (?)
           ORDER BY execution_id DESC LIMIT ${limit}) AS part${index}`,
      );
      const parameters = words.flatMap((word) => [projectId, word]);
      for (const id of await this.ids(parts.join(' UNION ALL '), parameters)) found.add(id);
    }
    return [...found].toSorted().toReversed().slice(0, limit);
  }

  /**
   * Returns the executions whose ids start with `prefix`, newest first. Empty if `prefix` cannot be the start of an id.
   */
  async withIdPrefix(
    prefix: string,
    projectIds: readonly string[],
    limit: number,
  ): Promise<readonly string[]> {
    if (!ID_PREFIX.test(prefix)) return [];
    const bounds = [prefix + FIRST.slice(prefix.length), prefix + LAST.slice(prefix.length)];
    if (!bounds.every((bound) => ID.test(bound))) return [];
    return this.ids(
      `SELECT id FROM executions WHERE id >= ? AND id <= ? AND project_id IN (${marksOf(projectIds)})
       ORDER BY id DESC LIMIT ${limit}`,
      [...bounds, ...projectIds],
    );
  }

  /**
   * Returns the first `MAX_WORDS` different words with the prefix, in ascending order. The recursive query jumps from
   * each word to the next different word, so frequent words are not read entry by entry.
   */
  private async words(prefix: string, projectId: string): Promise<readonly string[]> {
    const end = prefix + LAST_CHARACTER;
    const next = (comparison: string): string =>
      `(SELECT w.word FROM search_words AS w WHERE w.project_id = ? AND ${comparison} AND w.word < ?
        ORDER BY w.word LIMIT 1)`;
    const rows = await this.query<{ word: string }>(
      `WITH RECURSIVE found(word, number) AS (
         SELECT ${next('w.word >= ?')}, 1
         UNION ALL SELECT ${next('w.word > found.word')}, found.number + 1 FROM found
           WHERE found.word IS NOT NULL AND found.number < ${MAX_WORDS})
       SELECT word FROM found WHERE word IS NOT NULL`,
      [projectId, prefix, end, projectId, end],
    );
    return rows.map(({ word }) => word);
  }

  private async ids(sql: string, parameters: readonly unknown[]): Promise<readonly string[]> {
    return (await this.query<{ id: string }>(sql, parameters)).map(({ id }) => id);
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}
