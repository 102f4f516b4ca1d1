import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a long value refer to stored node outputs instead of containing them, so that each output is stored once. */
export class PayloadPieces1763900000000 implements MigrationInterface {
  readonly name = 'PayloadPieces1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "payloads" ADD COLUMN "pieces" text`);
  }

  /** Deletes long values that refer to other values, because earlier versions cannot read them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "payloads" WHERE "pieces" IS NOT NULL`);
    await runner.query(`ALTER TABLE "payloads" DROP COLUMN "pieces"`);
  }
}
