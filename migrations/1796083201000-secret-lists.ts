import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from './column-types.js';

const INTO = 'INSERT INTO "secret_lists" (project_id, secrets, version)';

/** Triggers for SQLite, which runs a trigger once per row. */
const SQLITE = [
  `CREATE TRIGGER "secret_lists_add" AFTER INSERT ON "secrets" BEGIN
     ${INTO} VALUES (NEW.project_id, 1, 1)
     ON CONFLICT (project_id) DO UPDATE SET secrets = secrets + 1, version = version + 1; END`,
  `CREATE TRIGGER "secret_lists_remove" AFTER DELETE ON "secrets" BEGIN
     UPDATE "secret_lists" SET secrets = secrets - 1, version = version + 1
     WHERE project_id = OLD.project_id; END`,
  `CREATE TRIGGER "secret_lists_change" AFTER UPDATE OF name, description ON "secrets"
   WHEN OLD.name <> NEW.name OR OLD.description <> NEW.description BEGIN
     UPDATE "secret_lists" SET version = version + 1 WHERE project_id = NEW.project_id; END`,
];

/**
 * Triggers for PostgreSQL. They run once per statement, except the trigger for changed names and descriptions, which
 * runs once per row.
 */
const POSTGRES = [
  `CREATE FUNCTION "secret_lists_add"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${INTO.replace('(', 'AS l (')} SELECT project_id, count(*), 1 FROM added GROUP BY project_id ORDER BY project_id
     ON CONFLICT (project_id) DO UPDATE SET secrets = l.secrets + excluded.secrets, version = l.version + 1;
     RETURN NULL; END $$`,
  `CREATE FUNCTION "secret_lists_remove"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${INTO.replace('(', 'AS l (')} SELECT project_id, -count(*), 1 FROM removed GROUP BY project_id ORDER BY project_id
     ON CONFLICT (project_id) DO UPDATE SET secrets = l.secrets + excluded.secrets, version = l.version + 1;
     RETURN NULL; END $$`,
  `CREATE FUNCTION "secret_lists_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE "secret_lists" SET version = version + 1 WHERE project_id = NEW.project_id; RETURN NULL; END $$`,
  `CREATE TRIGGER "secret_lists_add" AFTER INSERT ON "secrets" REFERENCING NEW TABLE AS added
   FOR EACH STATEMENT EXECUTE FUNCTION "secret_lists_add"()`,
  `CREATE TRIGGER "secret_lists_remove" AFTER DELETE ON "secrets" REFERENCING OLD TABLE AS removed
   FOR EACH STATEMENT EXECUTE FUNCTION "secret_lists_remove"()`,
  `CREATE TRIGGER "secret_lists_change" AFTER UPDATE OF name, description ON "secrets" FOR EACH ROW
   WHEN (OLD.name <> NEW.name OR OLD.description <> NEW.description)
   EXECUTE FUNCTION "secret_lists_change"()`,
];

/**
 * Adds a table with the number of secrets of each project, and with a version that increases when secrets are
 * added, removed, renamed or described differently. Triggers maintain both columns, because processes of the
 * previous version also write secrets. The row of a project stays after its last secret is deleted, so that
 * no version is used twice.
 */
export class SecretLists1796083201000 implements MigrationInterface {
  readonly name = 'SecretLists1796083201000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const { id, position } = columnTypes(runner);
    await runner.query(
      `CREATE TABLE "secret_lists" ("project_id" ${id} PRIMARY KEY NOT NULL, "secrets" ${position} NOT NULL,
        "version" ${position} NOT NULL)`,
    );
    // Creating a trigger on PostgreSQL locks the table. So no other process can write secrets before the
    // migration has counted the existing secrets.
    for (const sql of isPostgres ? POSTGRES : SQLITE) await runner.query(sql);
    await runner.query(`${INTO} SELECT project_id, count(*), 1 FROM "secrets" GROUP BY project_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    for (const name of ['secret_lists_add', 'secret_lists_remove', 'secret_lists_change']) {
      await runner.query(`DROP TRIGGER "${name}"${isPostgres ? ' ON "secrets"' : ''}`);
      if (isPostgres) await runner.query(`DROP FUNCTION "${name}"`);
    }
    await runner.query('DROP TABLE "secret_lists"');
  }
}
