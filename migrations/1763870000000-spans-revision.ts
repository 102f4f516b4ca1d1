import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Processes of the last version, which know nothing of spans, may no longer change the totals: they leave
 * `spans_revision` out, and are refused. A step of its own, so that they are refused at once and wait for nothing.
 */
export class SpansRevision1763870000000 implements MigrationInterface {
  readonly name = 'SpansRevision1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    // From 0 again, as SQLite adds a check only where the rows that are there meet it with the default.
    await runner.query(`UPDATE "execution_frontier" SET revision = 0`);
    await runner.query(
      `ALTER TABLE "execution_frontier" ADD COLUMN "spans_revision" ${isPostgres ? 'bigint' : 'integer'}
       NOT NULL DEFAULT ${isPostgres ? '0' : '(0)'}
       CONSTRAINT "execution_frontier_spans" CHECK ("spans_revision" = "revision")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution_frontier" DROP COLUMN "spans_revision"`);
  }
}
