import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnTypes, columnTypes } from './column-types.js';

/** Recreates the table of backfills, because SQLite cannot make a column nullable. */
function up({ id, time, json }: ColumnTypes): readonly string[] {
  return [
    ...withoutIndexes(),
    `CREATE TABLE "schedule_backfills" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "schedule_id" ${id} NOT NULL,
      "timing" ${json} NOT NULL,
      "overlap" varchar NOT NULL,
      "since_at" ${time} NOT NULL,
      "until" ${time} NOT NULL,
      "next_at" ${time} NOT NULL,
      "due_at" ${time},
      "instants" integer NOT NULL,
      "done" integer NOT NULL,
      "created_at" ${time} NOT NULL,
      "finished_at" ${time})`,
    // The number of scheduled times is unknown for existing backfills, so the migration sets it to 0.
    `INSERT INTO "schedule_backfills"
      ("id", "schedule_id", "timing", "overlap", "since_at", "until", "next_at", "due_at", "instants", "done", "created_at")
      SELECT "id", "schedule_id", "timing", "overlap", "next_at", "until", "next_at", "due_at", 0, 0, "due_at"
      FROM "schedule_backfills_old"`,
    `DROP TABLE "schedule_backfills_old"`,
    `CREATE INDEX "schedule_backfills_due" ON "schedule_backfills" ("due_at") WHERE due_at IS NOT NULL`,
    `CREATE INDEX "schedule_backfills_schedule" ON "schedule_backfills" ("schedule_id", "id")`,
  ];
}

function down({ id, time, json }: ColumnTypes): readonly string[] {
  return [
    ...withoutIndexes(),
    `CREATE TABLE "schedule_backfills" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "schedule_id" ${id} NOT NULL,
      "timing" ${json} NOT NULL,
      "overlap" varchar NOT NULL,
      "next_at" ${time} NOT NULL,
      "until" ${time} NOT NULL,
      "due_at" ${time} NOT NULL)`,
    `INSERT INTO "schedule_backfills" ("id", "schedule_id", "timing", "overlap", "next_at", "until", "due_at")
      SELECT "id", "schedule_id", "timing", "overlap", "next_at", "until", "due_at"
      FROM "schedule_backfills_old" WHERE "due_at" IS NOT NULL`,
    `DROP TABLE "schedule_backfills_old"`,
    `CREATE INDEX "schedule_backfills_due" ON "schedule_backfills" ("due_at")`,
    `CREATE INDEX "schedule_backfills_schedule" ON "schedule_backfills" ("schedule_id")`,
  ];
}

function withoutIndexes(): readonly string[] {
  return [
    'DROP INDEX "schedule_backfills_due"',
    'DROP INDEX "schedule_backfills_schedule"',
    'ALTER TABLE "schedule_backfills" RENAME TO "schedule_backfills_old"',
  ];
}

async function run(
  runner: QueryRunner,
  statements: (types: ColumnTypes) => readonly string[],
): Promise<void> {
  for (const statement of statements(columnTypes(runner))) await runner.query(statement);
}

/** Adds the range and progress of backfills. Finished backfills are kept. */
export class BackfillProgress1763980500000 implements MigrationInterface {
  readonly name = 'BackfillProgress1763980500000';

  up(runner: QueryRunner): Promise<void> {
    return run(runner, up);
  }

  down(runner: QueryRunner): Promise<void> {
    return run(runner, down);
  }
}
