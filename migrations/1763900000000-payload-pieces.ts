import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A long value may be made of the outputs of nodes, which are then stored once. */
export class PayloadPieces1763900000000 implements MigrationInterface {
  readonly name = 'PayloadPieces1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "payloads" ADD COLUMN "pieces" text`);
  }

  /** Values that are made of pieces cannot be read by what knows of none. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "payloads" WHERE "pieces" IS NOT NULL`);
    await runner.query(`ALTER TABLE "payloads" DROP COLUMN "pieces"`);
  }
}
