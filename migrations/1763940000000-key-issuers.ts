import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL that finds the token issuer of an existing key in the audit log, which contains every token exchange. */
const ISSUER = {
  sqlite: `json_extract("entry"."after", '$.issuer')`,
  postgres: `"entry"."after"->>'issuer'`,
} as const;

/** Adds the token issuer of each key, so that all keys of an issuer can be revoked together. */
export class KeyIssuers1763940000000 implements MigrationInterface {
  readonly name = 'KeyIssuers1763940000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    await runner.query(`ALTER TABLE "api_keys" ADD COLUMN "issuer" varchar`);
    await runner.query(`UPDATE "api_keys" SET "issuer" = (SELECT ${ISSUER[dialect]} FROM "audit_log" AS "entry"
      WHERE "entry"."target_id" = "api_keys"."id" AND "entry"."action" = 'token.exchanged' LIMIT 1)
      WHERE "origin" = 'exchanged'`);
    await runner.query(
      `CREATE INDEX "api_keys_issuer" ON "api_keys" ("issuer") WHERE issuer IS NOT NULL AND deleted_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "api_keys_issuer"');
    await runner.query('ALTER TABLE "api_keys" DROP COLUMN "issuer"');
  }
}
