import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = {
  sqlite: [
    `CREATE TABLE "audit_seals" ("team_id" varchar NOT NULL,
      "sequence" integer NOT NULL,
      "entry_id" varchar NOT NULL,
      "previous_hash" varchar NOT NULL,
      "hash" varchar NOT NULL,
      CONSTRAINT "audit_seals_pkey" PRIMARY KEY ("team_id", "sequence"))`,
  ],
  postgres: [
    `CREATE TABLE "audit_seals" ("team_id" uuid NOT NULL,
      "sequence" bigint NOT NULL,
      "entry_id" uuid NOT NULL,
      "previous_hash" character varying NOT NULL,
      "hash" character varying NOT NULL,
      CONSTRAINT "audit_seals_pkey" PRIMARY KEY ("team_id", "sequence"))`,
  ],
} as const;

/** Adds the hash chains of the audit log. The next start of the service adds the existing entries to the chains. */
export class AuditSeals1763950000000 implements MigrationInterface {
  readonly name = 'AuditSeals1763950000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    for (const statement of TABLES[dialect]) await runner.query(statement);
    await runner.query(`CREATE UNIQUE INDEX "audit_seals_entry" ON "audit_seals" ("entry_id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "audit_seals"');
  }
}
