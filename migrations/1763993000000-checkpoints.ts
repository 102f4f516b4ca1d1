import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds checkpoints of long executions. Checkpoints are only a cache, so `down` loses no data. */
export class Checkpoints1763993000000 implements MigrationInterface {
  readonly name = 'Checkpoints1763993000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    await runner.query(`CREATE TABLE "checkpoints" (
      "execution_id" ${isPostgres ? 'uuid' : 'varchar'} PRIMARY KEY NOT NULL,
      "sequence" integer NOT NULL,
      "format" varchar NOT NULL,
      "stored_bytes" ${isPostgres ? 'bigint' : 'integer'} NOT NULL,
      "recoveries" integer NOT NULL,
      "checksum" varchar NOT NULL,
      "body" text NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "checkpoints"`);
  }
}
