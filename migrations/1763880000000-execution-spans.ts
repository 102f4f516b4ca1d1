import type { MigrationInterface, QueryRunner } from 'typeorm';

const SPANS = {
  sqlite: `CREATE TABLE "execution_spans" ("project_id" varchar NOT NULL,
    "unit" varchar NOT NULL,
    "began" varchar NOT NULL,
    "workflow_id" varchar NOT NULL,
    "trigger_type" varchar NOT NULL,
    "status" varchar NOT NULL,
    "executions" integer NOT NULL,
    PRIMARY KEY ("project_id", "unit", "began", "workflow_id", "trigger_type", "status"))`,
  postgres: `CREATE TABLE "execution_spans" ("project_id" uuid NOT NULL,
    "unit" character varying NOT NULL,
    "began" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    "workflow_id" uuid NOT NULL,
    "trigger_type" character varying NOT NULL,
    "status" character varying NOT NULL,
    "executions" bigint NOT NULL,
    CONSTRAINT "execution_spans_pkey" PRIMARY KEY ("project_id", "unit", "began", "workflow_id", "trigger_type", "status"))`,
} as const;

/** SQL expressions for the hour and the day of an execution's creation, in UTC. */
const BEGINNINGS = {
  sqlite: {
    hour: `substr(created_at, 1, 13) || ':00:00.000Z'`,
    day: `substr(began, 1, 10) || 'T00:00:00.000Z'`,
  },
  postgres: { hour: `date_trunc('hour', created_at, 'UTC')`, day: `date_trunc('day', began, 'UTC')` },
} as const;

/**
 * Adds totals by creation time. The totals cannot change during this migration, because the previous migration blocks
 * old processes.
 */
export class ExecutionSpans1763880000000 implements MigrationInterface {
  readonly name = 'ExecutionSpans1763880000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const { hour, day } = BEGINNINGS[dialect];
    await runner.query(SPANS[dialect]);
    await runner.query(
      `INSERT INTO "execution_spans" (project_id, unit, began, workflow_id, trigger_type, status, executions)
       SELECT project_id, 'hour', ${hour}, workflow_id, trigger_type, status, count(*) FROM "executions"
       WHERE id <= (SELECT up_to_id FROM "execution_frontier" WHERE id = 1)
         AND status IN ('completed', 'failed', 'cancelled', 'timed_out')
         AND id NOT IN (SELECT execution_id FROM "execution_stragglers")
       GROUP BY 1, 2, 3, 4, 5, 6`,
    );
    await runner.query(
      `INSERT INTO "execution_spans" (project_id, unit, began, workflow_id, trigger_type, status, executions)
       SELECT project_id, 'day', ${day}, workflow_id, trigger_type, status, sum(executions)
       FROM "execution_spans" WHERE unit = 'hour' GROUP BY 1, 2, 3, 4, 5, 6`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "execution_spans"`);
  }
}
