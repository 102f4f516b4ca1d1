import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from './column-types.js';

export class SavedViews1795996801000 implements MigrationInterface {
  readonly name = 'SavedViews1795996801000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, time, json } = columnTypes(runner);
    for (const statement of [
      `CREATE TABLE "saved_views" (
        "id" ${id} PRIMARY KEY NOT NULL,
        "team_id" ${id} NOT NULL,
        "user_id" ${id} NOT NULL,
        "page" varchar NOT NULL,
        "name" varchar NOT NULL,
        "visibility" varchar NOT NULL,
        "settings" ${json} NOT NULL,
        "revision" integer NOT NULL,
        "created_at" ${time} NOT NULL,
        "updated_at" ${time} NOT NULL)`,
      `CREATE INDEX "saved_views_team" ON "saved_views" ("team_id", "id")`,
      `ALTER TABLE "users" ADD COLUMN "preferences" ${json}`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "users" DROP COLUMN "preferences"');
    await runner.query('DROP TABLE "saved_views"');
  }
}
