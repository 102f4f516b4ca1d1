import type { MigrationInterface, QueryRunner } from 'typeorm';

const SQLITE = [
  `ALTER TABLE "executions" ADD COLUMN "depth" integer NOT NULL DEFAULT (0)`,
  `ALTER TABLE "executions" ADD COLUMN "scheduled_for" varchar`,
  `CREATE INDEX "executions_children" ON "executions" ("parent_id") WHERE parent_id IS NOT NULL AND finished_at IS NULL`,
  `CREATE TABLE "execution_messages" ("id" varchar PRIMARY KEY NOT NULL,
    "execution_id" varchar NOT NULL,
    "kind" varchar NOT NULL,
    "name" varchar,
    "payload" text NOT NULL,
    "node_id" varchar,
    "attempt" integer,
    "created_at" varchar NOT NULL,
    "seen_at" varchar)`,
  `CREATE TABLE "link_secret" ("id" integer PRIMARY KEY NOT NULL,
    "secret" varchar NOT NULL)`,
] as const;

const POSTGRES = [
  `ALTER TABLE "executions" ADD COLUMN "depth" integer NOT NULL DEFAULT 0`,
  `ALTER TABLE "executions" ADD COLUMN "scheduled_for" TIMESTAMP(3) WITH TIME ZONE`,
  `CREATE INDEX "executions_children" ON "executions" ("parent_id") WHERE parent_id IS NOT NULL AND finished_at IS NULL`,
  `CREATE TABLE "execution_messages" ("id" uuid NOT NULL,
    "execution_id" uuid NOT NULL,
    "kind" character varying NOT NULL,
    "name" character varying,
    "payload" text NOT NULL,
    "node_id" character varying,
    "attempt" integer,
    "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    "seen_at" TIMESTAMP(3) WITH TIME ZONE,
    CONSTRAINT "execution_messages_pkey" PRIMARY KEY ("id"))`,
  `CREATE TABLE "link_secret" ("id" integer NOT NULL,
    "secret" character varying NOT NULL,
    CONSTRAINT "link_secret_pkey" PRIMARY KEY ("id"))`,
] as const;

const INDEXES = [
  `CREATE INDEX "execution_messages_execution" ON "execution_messages" ("execution_id", "id")`,
  `CREATE INDEX "execution_messages_unseen" ON "execution_messages" ("execution_id") WHERE seen_at IS NULL`,
  `CREATE UNIQUE INDEX "execution_messages_decision" ON "execution_messages" ("execution_id", "node_id", "attempt") WHERE node_id IS NOT NULL`,
] as const;

/**
 * Adds the inboxes of executions, scheduled starts, the depth of child executions, and the secret that signs approval
 * links.
 */
export class ExecutionControl1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = runner.dataSource.options.type === 'postgres' ? POSTGRES : SQLITE;
    for (const statement of [...statements, ...INDEXES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['link_secret', 'execution_messages']) await runner.query(`DROP TABLE "${table}"`);
    await runner.query('DROP INDEX "executions_children"');
    for (const column of ['scheduled_for', 'depth'])
      await runner.query(`ALTER TABLE "executions" DROP COLUMN "${column}"`);
  }
}
