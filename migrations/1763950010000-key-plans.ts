import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the rate-limit plan of a key, which may be lower than the team's plan. */
export class KeyPlans1763950010000 implements MigrationInterface {
  readonly name = 'KeyPlans1763950010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "api_keys" ADD COLUMN "plan" varchar');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "api_keys" DROP COLUMN "plan"');
  }
}
