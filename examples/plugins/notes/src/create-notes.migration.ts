import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of notes. Do not change a released migration; add a new class instead. */
export class CreateNotes1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const id = isPostgres ? 'uuid' : 'varchar';
    const time = isPostgres ? 'timestamp(3) with time zone' : 'varchar';
    await runner.query(`CREATE TABLE "notes" ("id" ${id} PRIMARY KEY NOT NULL,
      "project_id" ${id} NOT NULL,
      "text" varchar NOT NULL,
      "source" varchar NOT NULL,
      "created_at" ${time} NOT NULL)`);
    await runner.query('CREATE INDEX "notes_project" ON "notes" ("project_id", "id")');
    await runner.query('CREATE UNIQUE INDEX "notes_source" ON "notes" ("source")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "notes"');
  }
}
