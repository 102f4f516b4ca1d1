import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prevents processes of the previous version from changing the totals: their updates do not set
 * `spans_revision`, and so violate the CHECK constraint of this column. The constraint must take effect
 * before the slow next migration runs, so this migration is separate.
 */
export class SpansRevision1763870000000 implements MigrationInterface {
  readonly name = 'SpansRevision1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    // SQLite adds a CHECK constraint only if all existing rows satisfy it. The new column `spans_revision` is
    // 0 in existing rows, so `revision` must be 0, too.
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
