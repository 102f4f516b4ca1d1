import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from './column-types.js';

/** Adds the index of search words of executions. The service fills the index in the background. */
export class ExecutionSearch1795910400000 implements MigrationInterface {
  readonly name = 'ExecutionSearch1795910400000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const { id, position } = columnTypes(runner);
    const word = isPostgres ? 'character varying COLLATE "C"' : 'varchar COLLATE BINARY';
    await runner.query(
      `CREATE TABLE "search_words" ("project_id" ${id} NOT NULL, "word" ${word} NOT NULL, "execution_id" ${id} NOT NULL,
        CONSTRAINT "search_words_pkey" PRIMARY KEY ("project_id", "word", "execution_id"))${isPostgres ? '' : ' WITHOUT ROWID'}`,
    );
    await runner.query(
      `CREATE TABLE "search_watermark" ("id" integer NOT NULL, "up_to_id" ${id} NOT NULL, "revision" ${position} NOT NULL,
        CONSTRAINT "search_watermark_pkey" PRIMARY KEY ("id"))`,
    );
    await runner.query(
      `CREATE TABLE "search_late_rows" ("execution_id" ${id} NOT NULL,
        CONSTRAINT "search_late_rows_pkey" PRIMARY KEY ("execution_id"))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['search_late_rows', 'search_watermark', 'search_words'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
