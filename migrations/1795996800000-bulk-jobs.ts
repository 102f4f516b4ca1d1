import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from './column-types.js';

/** Adds bulk jobs, which perform an action on every execution that matches a filter. */
export class BulkJobs1795996800000 implements MigrationInterface {
  readonly name = 'BulkJobs1795996800000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, time, json } = columnTypes(runner);
    for (const statement of [
      `CREATE TABLE "bulk_jobs" (
        "id" ${id} PRIMARY KEY NOT NULL,
        "team_id" ${id} NOT NULL,
        "project_id" ${id},
        "user_id" ${id} NOT NULL,
        "key_id" ${id},
        "action" varchar NOT NULL,
        "filter" ${json} NOT NULL,
        "reason" varchar,
        "version" varchar NOT NULL,
        "status" varchar NOT NULL,
        "status_reason" varchar,
        "total" integer NOT NULL,
        "processed" integer NOT NULL,
        "succeeded" integer NOT NULL,
        "failed" integer NOT NULL,
        "failures" ${json} NOT NULL,
        "page" ${json} NOT NULL,
        "after_id" ${id},
        "owner" ${id},
        "revision" integer NOT NULL,
        "created_at" ${time} NOT NULL,
        "updated_at" ${time} NOT NULL,
        "finished_at" ${time})`,
      `CREATE INDEX "bulk_jobs_team" ON "bulk_jobs" ("team_id", "id")`,
      `CREATE INDEX "bulk_jobs_running" ON "bulk_jobs" ("owner") WHERE status = 'running'`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "bulk_jobs"');
  }
}
