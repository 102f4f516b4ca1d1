import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maximum length of indexed keys and values in characters. Longer keys are omitted, and longer values are null. */
const LONGEST = 200;

/**
 * Selects the metadata of an execution as one row per key, with the value as text. The value is null if it is long, or
 * if SQLite and PostgreSQL format it differently.
 */
const VALUES = {
  sqlite: (row: string) => `SELECT ${row}.id, ${row}.project_id, m.key,
      CASE WHEN m.type = 'text' AND length(m.value) <= ${LONGEST} THEN m.value
        WHEN m.type IN ('true', 'false') THEN m.type
        WHEN m.type = 'integer' AND length(m.value) < 18 AND m.value NOT GLOB '*[^-0-9]*' THEN CAST(m.value AS TEXT)
      END
    FROM json_each(${row}.metadata) AS m WHERE m.type <> 'null' AND length(m.key) <= ${LONGEST}`,
  postgres: (row: string) => `SELECT ${row}.id, ${row}.project_id, m.key,
      CASE json_typeof(m.value)
        WHEN 'string' THEN CASE WHEN length(m.value #>> '{}') <= ${LONGEST} THEN m.value #>> '{}' END
        WHEN 'boolean' THEN m.value #>> '{}'
        WHEN 'number' THEN substring(m.value #>> '{}' FROM '^-?[0-9]{1,16}$')
      END
    FROM json_each(${row}.metadata) AS m WHERE json_typeof(m.value) <> 'null' AND length(m.key) <= ${LONGEST}`,
} as const;

const INTO = `INSERT INTO "execution_metadata" (execution_id, project_id, key, value)`;

const TABLE = {
  sqlite: `CREATE TABLE "execution_metadata" ("execution_id" varchar NOT NULL,
    "project_id" varchar NOT NULL, "key" varchar NOT NULL, "value" varchar)`,
  postgres: `CREATE TABLE "execution_metadata" ("execution_id" uuid NOT NULL,
    "project_id" uuid NOT NULL, "key" character varying NOT NULL, "value" character varying)`,
} as const;

const INDEXES = [
  `CREATE INDEX "execution_metadata_value" ON "execution_metadata" ("project_id", "key", "value", "execution_id")`,
  `CREATE INDEX "execution_metadata_execution" ON "execution_metadata" ("execution_id")`,
] as const;

/** Triggers for inserts and deletions. The metadata of an execution never changes, so updates need no trigger. */
const TRIGGERS = {
  sqlite: [
    `CREATE TRIGGER "execution_metadata_add" AFTER INSERT ON "executions" WHEN NEW.metadata <> '{}'
     BEGIN ${INTO} ${VALUES.sqlite('NEW')}; END`,
    `CREATE TRIGGER "execution_metadata_remove" AFTER DELETE ON "executions" WHEN OLD.metadata <> '{}'
     BEGIN DELETE FROM "execution_metadata" WHERE execution_id = OLD.id; END`,
  ],
  postgres: [
    `CREATE FUNCTION "execution_metadata_add"() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN ${INTO} ${VALUES.postgres('NEW')}; RETURN NULL; END $$`,
    `CREATE FUNCTION "execution_metadata_remove"() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN DELETE FROM "execution_metadata" WHERE execution_id = OLD.id; RETURN NULL; END $$`,
    `CREATE TRIGGER "execution_metadata_add" AFTER INSERT ON "executions"
     FOR EACH ROW WHEN (NEW.metadata::text <> '{}') EXECUTE FUNCTION "execution_metadata_add"()`,
    `CREATE TRIGGER "execution_metadata_remove" AFTER DELETE ON "executions"
     FOR EACH ROW WHEN (OLD.metadata::text <> '{}') EXECUTE FUNCTION "execution_metadata_remove"()`,
  ],
} as const;

/**
 * Adds a search index of execution metadata. Triggers maintain the index, because processes of the previous version
 * also write executions.
 */
export class ExecutionMetadata1763890000000 implements MigrationInterface {
  readonly name = 'ExecutionMetadata1763890000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    await runner.query(TABLE[dialect]);
    for (const trigger of TRIGGERS[dialect]) await runner.query(trigger);
    const metadata = dialect === 'postgres' ? 'e.metadata::text' : 'e.metadata';
    const values = VALUES[dialect]('e').replace('FROM json_each', 'FROM "executions" AS e, json_each');
    await runner.query(`${INTO} ${values} AND ${metadata} <> '{}'`);
    for (const index of INDEXES) await runner.query(index);
  }

  async down(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    for (const name of ['execution_metadata_add', 'execution_metadata_remove']) {
      await runner.query(`DROP TRIGGER "${name}"${isPostgres ? ' ON "executions"' : ''}`);
      if (isPostgres) await runner.query(`DROP FUNCTION "${name}"`);
    }
    await runner.query('DROP TABLE "execution_metadata"');
  }
}
