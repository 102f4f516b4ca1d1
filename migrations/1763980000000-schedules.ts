import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnTypes, columnTypes } from './column-types.js';

function statements({ id, time, json }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE "schedules" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "project_id" ${id} NOT NULL,
      "workflow_id" ${id} NOT NULL,
      "name" varchar NOT NULL,
      "cron" varchar,
      "every_seconds" integer,
      "at" ${time},
      "time_zone" varchar NOT NULL,
      "input" ${json},
      "metadata" ${json} NOT NULL,
      "priority" integer NOT NULL,
      "overlap" varchar NOT NULL,
      "catch_up_seconds" integer NOT NULL,
      "jitter_seconds" integer NOT NULL,
      "starts_at" ${time},
      "ends_at" ${time},
      "status" varchar NOT NULL,
      "next_at" ${time},
      "due_at" ${time},
      "waited_until" ${time},
      "last_fire" ${json},
      "fired_total" integer NOT NULL,
      "skipped_total" integer NOT NULL,
      "revision" integer NOT NULL,
      "created_at" ${time} NOT NULL,
      "updated_at" ${time} NOT NULL)`,
    `CREATE INDEX "schedules_project" ON "schedules" ("project_id", "id")`,
    `CREATE INDEX "schedules_workflow" ON "schedules" ("workflow_id", "id")`,
    `CREATE INDEX "schedules_due" ON "schedules" ("due_at") WHERE due_at IS NOT NULL`,
    `CREATE TABLE "schedule_fires" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "schedule_id" ${id} NOT NULL,
      "scheduled_for" ${time} NOT NULL,
      "fired_at" ${time} NOT NULL,
      "outcome" varchar NOT NULL,
      "reason" varchar,
      "execution_id" ${id})`,
    `CREATE INDEX "schedule_fires_schedule" ON "schedule_fires" ("schedule_id", "id")`,
    `CREATE INDEX "schedule_fires_fired" ON "schedule_fires" ("fired_at")`,
    `CREATE TABLE "schedule_backfills" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "schedule_id" ${id} NOT NULL,
      "timing" ${json} NOT NULL,
      "overlap" varchar NOT NULL,
      "next_at" ${time} NOT NULL,
      "until" ${time} NOT NULL,
      "due_at" ${time} NOT NULL)`,
    `CREATE INDEX "schedule_backfills_due" ON "schedule_backfills" ("due_at")`,
    `CREATE INDEX "schedule_backfills_schedule" ON "schedule_backfills" ("schedule_id")`,
  ];
}

/** Adds schedules, the outcomes of their scheduled times, and unfinished backfills. */
export class Schedules1763980000000 implements MigrationInterface {
  readonly name = 'Schedules1763980000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements(columnTypes(runner))) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['schedule_backfills', 'schedule_fires', 'schedules'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
