import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index of runnable executions by project, so that claims can alternate between projects. */
export class ProjectTurns1763850000000 implements MigrationInterface {
  readonly name = 'ProjectTurns1763850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "executions_turns" ON "executions" ("project_id", "priority", "runnable_at") WHERE runnable_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "executions_turns"`);
  }
}
