import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recreates the table `idempotency_keys` with its rows, because SQLite cannot drop a constraint of a column. */
const SQLITE_UP = [
  `CREATE TABLE "idempotency_keys_new" ("id" varchar PRIMARY KEY NOT NULL,
    "request_hash" varchar NOT NULL,
    "resource_id" varchar,
    "status" integer,
    "headers" text,
    "body" text,
    "created_at" varchar NOT NULL)`,
  `INSERT INTO "idempotency_keys_new" (id, request_hash, status, headers, body, created_at)
    SELECT id, request_hash, status, headers, body, created_at FROM "idempotency_keys"`,
  `DROP TABLE "idempotency_keys"`,
  `ALTER TABLE "idempotency_keys_new" RENAME TO "idempotency_keys"`,
  `CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" ("created_at")`,
];

const SQLITE_DOWN = [
  `CREATE TABLE "idempotency_keys_old" ("id" varchar PRIMARY KEY NOT NULL,
    "request_hash" varchar NOT NULL,
    "status" integer NOT NULL,
    "headers" text NOT NULL,
    "body" text NOT NULL,
    "created_at" varchar NOT NULL)`,
  `INSERT INTO "idempotency_keys_old" (id, request_hash, status, headers, body, created_at)
    SELECT id, request_hash, status, headers, body, created_at FROM "idempotency_keys" WHERE status IS NOT NULL`,
  `DROP TABLE "idempotency_keys"`,
  `ALTER TABLE "idempotency_keys_old" RENAME TO "idempotency_keys"`,
  `CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" ("created_at")`,
];

const COLUMNS_OF_RESPONSES = ['status', 'headers', 'body'];

const POSTGRES_UP = [
  `ALTER TABLE "idempotency_keys" ADD COLUMN "resource_id" varchar`,
  ...COLUMNS_OF_RESPONSES.map(
    (name) => `ALTER TABLE "idempotency_keys" ALTER COLUMN "${name}" DROP NOT NULL`,
  ),
];

const POSTGRES_DOWN = [
  `DELETE FROM "idempotency_keys" WHERE status IS NULL`,
  ...COLUMNS_OF_RESPONSES.map((name) => `ALTER TABLE "idempotency_keys" ALTER COLUMN "${name}" SET NOT NULL`),
  `ALTER TABLE "idempotency_keys" DROP COLUMN "resource_id"`,
];

/** Lets a request store its idempotency key in the same commit as its resource. The response is stored later. */
export class IdempotencyResources1763960000000 implements MigrationInterface {
  readonly name = 'IdempotencyResources1763960000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    for (const statement of isPostgres ? POSTGRES_UP : SQLITE_UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    for (const statement of isPostgres ? POSTGRES_DOWN : SQLITE_DOWN) await runner.query(statement);
  }
}
