import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'results',
  'chores',
  'execution_totals',
  'execution_hours',
  'execution_frontier',
  'execution_stragglers',
  'journal_floor',
] as const;

const SQLITE = [
  `CREATE TABLE "results" ("id" varchar PRIMARY KEY NOT NULL,
    "project_id" varchar NOT NULL,
    "output" text,
    "computed_at" varchar,
    "expires_at" varchar NOT NULL,
    "holder" varchar)`,
  `CREATE INDEX "results_project" ON "results" ("project_id")`,
  `CREATE INDEX "results_expires" ON "results" ("expires_at")`,
  `CREATE TABLE "chores" ("name" varchar PRIMARY KEY NOT NULL,
    "holder" varchar,
    "started_at" varchar NOT NULL)`,
  `CREATE TABLE "execution_totals" ("project_id" varchar NOT NULL,
    "workflow_id" varchar NOT NULL,
    "trigger_type" varchar NOT NULL,
    "status" varchar NOT NULL,
    "executions" integer NOT NULL,
    "events" integer NOT NULL,
    "journal_bytes" integer NOT NULL,
    "payload_bytes" integer NOT NULL,
    PRIMARY KEY ("project_id", "workflow_id", "trigger_type", "status"))`,
  `CREATE TABLE "execution_hours" ("project_id" varchar NOT NULL,
    "hour" varchar NOT NULL,
    "workflow_id" varchar NOT NULL,
    "status" varchar NOT NULL,
    "duration_bucket" integer NOT NULL,
    "executions" integer NOT NULL,
    PRIMARY KEY ("project_id", "hour", "workflow_id", "status", "duration_bucket"))`,
  `CREATE TABLE "execution_frontier" ("id" integer PRIMARY KEY NOT NULL,
    "up_to_id" varchar NOT NULL,
    "revision" integer NOT NULL)`,
  `CREATE TABLE "execution_stragglers" ("execution_id" varchar PRIMARY KEY NOT NULL)`,
  `CREATE TABLE "journal_floor" ("id" integer PRIMARY KEY NOT NULL,
    "position" integer NOT NULL)`,
] as const;

const POSTGRES = [
  `CREATE TABLE "results" ("id" character varying NOT NULL,
    "project_id" uuid NOT NULL,
    "output" text,
    "computed_at" TIMESTAMP(3) WITH TIME ZONE,
    "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    "holder" uuid,
    CONSTRAINT "results_pkey" PRIMARY KEY ("id"))`,
  `CREATE INDEX "results_project" ON "results" ("project_id")`,
  `CREATE INDEX "results_expires" ON "results" ("expires_at")`,
  `CREATE TABLE "chores" ("name" character varying NOT NULL,
    "holder" uuid,
    "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    CONSTRAINT "chores_pkey" PRIMARY KEY ("name"))`,
  `CREATE TABLE "execution_totals" ("project_id" uuid NOT NULL,
    "workflow_id" uuid NOT NULL,
    "trigger_type" character varying NOT NULL,
    "status" character varying NOT NULL,
    "executions" bigint NOT NULL,
    "events" bigint NOT NULL,
    "journal_bytes" bigint NOT NULL,
    "payload_bytes" bigint NOT NULL,
    CONSTRAINT "execution_totals_pkey" PRIMARY KEY ("project_id", "workflow_id", "trigger_type", "status"))`,
  `CREATE TABLE "execution_hours" ("project_id" uuid NOT NULL,
    "hour" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    "workflow_id" uuid NOT NULL,
    "status" character varying NOT NULL,
    "duration_bucket" integer NOT NULL,
    "executions" bigint NOT NULL,
    CONSTRAINT "execution_hours_pkey" PRIMARY KEY ("project_id", "hour", "workflow_id", "status", "duration_bucket"))`,
  `CREATE TABLE "execution_frontier" ("id" integer NOT NULL,
    "up_to_id" uuid NOT NULL,
    "revision" bigint NOT NULL,
    CONSTRAINT "execution_frontier_pkey" PRIMARY KEY ("id"))`,
  `CREATE TABLE "execution_stragglers" ("execution_id" uuid NOT NULL,
    CONSTRAINT "execution_stragglers_pkey" PRIMARY KEY ("execution_id"))`,
  `CREATE TABLE "journal_floor" ("id" integer NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT "journal_floor_pkey" PRIMARY KEY ("id"))`,
] as const;

/**
 * Adds the cache of node results, the totals of executions, and the first journal position after the deleted events.
 */
export class ResultsAndTotals1763830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await each(runner, runner.dataSource.options.type === 'postgres' ? POSTGRES : SQLITE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await each(
      runner,
      TABLES.map((table) => `DROP TABLE "${table}"`),
    );
  }
}

async function each(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}
