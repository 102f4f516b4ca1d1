import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ActiveTime1763994000000 implements MigrationInterface {
  readonly name = 'ActiveTime1763994000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const [json, count] = isPostgres ? ['json', 'bigint'] : ['text', 'integer'];
    await runner.query(`ALTER TABLE "executions" ADD COLUMN "active_time" ${json}`);
    await runner.query(
      `CREATE TABLE "test_clock" ("id" integer PRIMARY KEY NOT NULL, "offset_ms" ${count} NOT NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "test_clock"');
    await runner.query('ALTER TABLE "executions" DROP COLUMN "active_time"');
  }
}
