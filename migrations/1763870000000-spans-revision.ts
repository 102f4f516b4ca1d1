import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prevents processes of the previous version from changing the totals, because these processes do not maintain spans.
 * Their updates omit `spans_revision`, so they violate the check. This migration is separate so that it takes effect
 * before the slower migration that fills the spans.
 */
export class SpansRevision1763870000000 implements MigrationInterface {
  readonly name = 'SpansRevision1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    // SQLite adds a check only if it holds for the existing rows, whose `spans_revision` is 0. So `revision` must be 0.
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
