import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnTypes, columnTypes } from './column-types.js';

function statements({ id, time, json }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE "hooks" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "project_id" ${id} NOT NULL,
      "workflow_id" ${id},
      "name" varchar NOT NULL,
      "action" varchar NOT NULL,
      "signal" ${json},
      "methods" ${json} NOT NULL,
      "verification" ${json} NOT NULL,
      "input" ${json},
      "deduplication" varchar,
      "respond" varchar NOT NULL,
      "status" varchar NOT NULL,
      "last_delivery_at" ${time},
      "token_prefix" varchar NOT NULL,
      "revision" integer NOT NULL,
      "created_at" ${time} NOT NULL,
      "updated_at" ${time} NOT NULL)`,
    `CREATE INDEX "hooks_project" ON "hooks" ("project_id", "id")`,
    `CREATE INDEX "hooks_workflow" ON "hooks" ("workflow_id", "id")`,
    `CREATE TABLE "hook_tokens" (
      "hash" varchar PRIMARY KEY NOT NULL,
      "hook_id" ${id} NOT NULL,
      "expires_at" ${time})`,
    `CREATE INDEX "hook_tokens_hook" ON "hook_tokens" ("hook_id")`,
    `CREATE TABLE "hook_deliveries" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "hook_id" ${id} NOT NULL,
      "received_at" ${time} NOT NULL,
      "method" varchar NOT NULL,
      "address" varchar NOT NULL,
      "content_type" varchar,
      "size_bytes" integer NOT NULL,
      "source" varchar NOT NULL,
      "outcome" varchar NOT NULL,
      "status" integer NOT NULL,
      "code" varchar,
      "reason" varchar,
      "key" varchar,
      "claimed_key" varchar,
      "execution_id" ${id})`,
    `CREATE INDEX "hook_deliveries_hook" ON "hook_deliveries" ("hook_id", "id")`,
    `CREATE INDEX "hook_deliveries_received" ON "hook_deliveries" ("received_at")`,
    `CREATE UNIQUE INDEX "hook_deliveries_key" ON "hook_deliveries" ("hook_id", "claimed_key") WHERE claimed_key IS NOT NULL`,
    `CREATE INDEX "executions_project_key" ON "executions" ("project_id", "deduplication_key") WHERE deduplication_key IS NOT NULL AND finished_at IS NULL`,
  ];
}

/** Adds hooks, their tokens and deliveries, and an index of executions by deduplication key. */
export class Hooks1763991000000 implements MigrationInterface {
  readonly name = 'Hooks1763991000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements(columnTypes(runner))) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "executions_project_key"');
    for (const table of ['hook_deliveries', 'hook_tokens', 'hooks'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
