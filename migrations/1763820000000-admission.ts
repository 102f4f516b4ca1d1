import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Statements that are the same on SQLite and PostgreSQL. */
const EXECUTIONS = [
  `ALTER TABLE "executions" ADD COLUMN "deduplication_key" varchar`,
  `ALTER TABLE "executions" ADD COLUMN "admission" varchar`,
  `CREATE UNIQUE INDEX "executions_deduplication" ON "executions" ("workflow_id", "deduplication_key") WHERE deduplication_key IS NOT NULL AND finished_at IS NULL`,
  `CREATE INDEX "executions_retry_of" ON "executions" ("retry_of") WHERE retry_of IS NOT NULL`,
];

const INDEXES = [
  `CREATE UNIQUE INDEX "execution_admissions_execution" ON "execution_admissions" ("execution_id")`,
  `CREATE UNIQUE INDEX "execution_admissions_slot" ON "execution_admissions" ("workflow_id", "slot") WHERE workflow_id IS NOT NULL AND slot IS NOT NULL`,
  `CREATE UNIQUE INDEX "execution_admissions_turn" ON "execution_admissions" ("session_id") WHERE session_id IS NOT NULL AND slot IS NOT NULL`,
  `CREATE INDEX "execution_admissions_line" ON "execution_admissions" ("workflow_id", "rank", "position") WHERE slot IS NULL`,
  `CREATE INDEX "execution_admissions_session" ON "execution_admissions" ("session_id", "position") WHERE session_id IS NOT NULL`,
  `CREATE INDEX "execution_admissions_due" ON "execution_admissions" ("due_at") WHERE slot IS NULL`,
  `CREATE INDEX "session_state_changes_age" ON "session_state_changes" ("created_at")`,
];

const SQLITE = [
  `CREATE TABLE "execution_admissions" ("position" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
    "execution_id" varchar NOT NULL,
    "workflow_id" varchar,
    "session_id" varchar,
    "rank" integer NOT NULL,
    "due_at" varchar NOT NULL,
    "slot" integer)`,
  `CREATE TABLE "session_state_changes" ("id" varchar PRIMARY KEY NOT NULL,
    "session_id" varchar NOT NULL,
    "state" text NOT NULL,
    "state_version" integer NOT NULL,
    "created_at" varchar NOT NULL)`,
];

const POSTGRES = [
  `CREATE TABLE "execution_admissions" ("position" BIGSERIAL NOT NULL,
    "execution_id" uuid NOT NULL,
    "workflow_id" uuid,
    "session_id" uuid,
    "rank" integer NOT NULL,
    "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    "slot" integer,
    CONSTRAINT "PK_ab1cf2cf54ac7031339d6bd3422" PRIMARY KEY ("position"))`,
  `CREATE TABLE "session_state_changes" ("id" character varying NOT NULL,
    "session_id" uuid NOT NULL,
    "state" json NOT NULL,
    "state_version" integer NOT NULL,
    "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    CONSTRAINT "PK_0c6f725093331e7ed6f12b4b930" PRIMARY KEY ("id"))`,
];

/**
 * Adds deduplication keys, admission under `max_running` and in serial sessions, and session state changes by nodes.
 */
export class Admission1763820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const tables = runner.dataSource.options.type === 'postgres' ? POSTGRES : SQLITE;
    for (const statement of [...EXECUTIONS, ...tables, ...INDEXES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP TABLE "session_state_changes"',
      'DROP TABLE "execution_admissions"',
      'DROP INDEX "executions_retry_of"',
      'DROP INDEX "executions_deduplication"',
      'ALTER TABLE "executions" DROP COLUMN "admission"',
      'ALTER TABLE "executions" DROP COLUMN "deduplication_key"',
    ])
      await runner.query(statement);
  }
}
