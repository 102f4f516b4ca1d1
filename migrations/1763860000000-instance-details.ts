import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['role', 'version'];

export class InstanceDetails1763860000000 implements MigrationInterface {
  readonly name = 'InstanceDetails1763860000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(`ALTER TABLE "instances" ADD COLUMN "${column}" varchar`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE "instances" DROP COLUMN "${column}"`);
  }
}
