import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type ColumnTypes, columnTypes } from './column-types.js';

function statements({ id, time }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE "secrets" (
      "id" ${id} PRIMARY KEY NOT NULL,
      "project_id" ${id} NOT NULL,
      "name" varchar NOT NULL,
      "description" text NOT NULL,
      "sealed" text NOT NULL,
      "version" integer NOT NULL,
      "revision" integer NOT NULL,
      "created_at" ${time} NOT NULL,
      "updated_at" ${time} NOT NULL,
      "last_used_at" ${time})`,
    `CREATE INDEX "secrets_project" ON "secrets" ("project_id", "id")`,
    `CREATE UNIQUE INDEX "secrets_name" ON "secrets" ("project_id", "name")`,
  ];
}

export class Secrets1763990000000 implements MigrationInterface {
  readonly name = 'Secrets1763990000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements(columnTypes(runner))) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "secrets"');
  }
}
