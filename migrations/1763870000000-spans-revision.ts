import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prevents processes of the previous version from changing the totals: their updates omit `spans_revision` and violate
 * its check. Old processes must stop before the slow next migration runs, so this is a separate migration.
 */
export class SpansRevision1763870000000 implements MigrationInterface {
  readonly name = 'SpansRevision1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    // SQLite adds a check only if existing rows satisfy the check. The new column `spans_revision` is 0 in existing
    // rows, so `revision` must be 0, too.
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
