import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnTypes, columnTypes } from './column-types.js';

function statements({ id, time, json, position }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE "webhooks" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "project_id" ${id} NOT NULL,
      "url" varchar NOT NULL,
      "description" varchar NOT NULL,
      "events" ${json} NOT NULL,
      "workflow_ids" ${json},
      "filter" varchar,
      "format" varchar NOT NULL,
      "status" varchar NOT NULL,
      "status_reason" varchar,
      "failing_since" ${time},
      "delivered_total" ${position} NOT NULL,
      "failed_total" ${position} NOT NULL,
      "secret" varchar NOT NULL,
      "old_secret" varchar,
      "old_secret_until" ${time},
      "cursor_position" ${position} NOT NULL,
      "inactive_from" ${position},
      "skipped" ${json} NOT NULL,
      "lease_owner" ${id},
      "lease_until" ${time},
      "lease_epoch" integer NOT NULL,
      "due_at" ${time},
      "revision" integer NOT NULL,
      "created_at" ${time} NOT NULL,
      "updated_at" ${time} NOT NULL)`,
    `CREATE INDEX "webhooks_project" ON "webhooks" ("project_id", "id")`,
    `CREATE INDEX "webhooks_active" ON "webhooks" ("status", "id")`,
    `CREATE TABLE "webhook_retries" (
      "webhook_id" ${id} NOT NULL,
      "execution_id" ${id} NOT NULL,
      "after_sequence" integer NOT NULL,
      "position" ${position} NOT NULL,
      "delivery_id" ${id} NOT NULL,
      "attempts" integer NOT NULL,
      "next_attempt_at" ${time} NOT NULL,
      PRIMARY KEY ("webhook_id", "execution_id"))`,
    `CREATE TABLE "webhook_deliveries" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "webhook_id" ${id} NOT NULL,
      "event_id" ${id} NOT NULL,
      "event_type" varchar NOT NULL,
      "execution_id" ${id},
      "sequence" integer,
      "status" varchar NOT NULL,
      "attempts" ${json} NOT NULL,
      "next_attempt_at" ${time},
      "created_at" ${time} NOT NULL,
      "updated_at" ${time} NOT NULL)`,
    `CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" ("webhook_id", "id")`,
    `CREATE INDEX "webhook_deliveries_status" ON "webhook_deliveries" ("webhook_id", "status", "id")`,
  ];
}

/** Adds webhooks, the events that wait for a retry, and the log of deliveries. */
export class Webhooks1763992000000 implements MigrationInterface {
  readonly name = 'Webhooks1763992000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements(columnTypes(runner))) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'webhook_retries', 'webhooks'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
