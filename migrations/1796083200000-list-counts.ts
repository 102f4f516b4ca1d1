import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from './column-types.js';

/** A table that contains several lists. Rows with the same value in the column `list` belong to one list. */
interface CountedTable {
  readonly table: string;
  /** Column that identifies the list of a row: the id of the webhook, schedule or hook. */
  readonly list: string;
  readonly status: string;
}

const TABLES: readonly CountedTable[] = [
  { table: 'webhook_deliveries', list: 'webhook_id', status: 'status' },
  { table: 'schedule_fires', list: 'schedule_id', status: 'outcome' },
  { table: 'hook_deliveries', list: 'hook_id', status: 'outcome' },
];

/**
 * Length of the prefix of an id that identifies the period in which the id was created. A period lasts 2^24
 * ms, or 4 h 40 min.
 */
const PERIOD_LENGTH = 6;

const KEY = 'list_id, status, period';
const INTO = `INSERT INTO "list_counts" (${KEY}, items)`;

/** Triggers for SQLite, which runs a trigger once per row. */
function sqliteTriggers({ table, list, status }: CountedTable): readonly string[] {
  const keyOf = (row: string): readonly string[] => [
    `${row}.${list}`,
    `${row}.${status}`,
    `substr(${row}.id, 1, ${PERIOD_LENGTH})`,
  ];
  const add = `${INTO} VALUES (${keyOf('NEW').join(', ')}, 1)
    ON CONFLICT (${KEY}) DO UPDATE SET items = items + 1;`;
  const [listId, old, period] = keyOf('OLD');
  const where = `WHERE list_id = ${listId} AND status = ${old} AND period = ${period}`;
  const remove = `UPDATE "list_counts" SET items = items - 1 ${where};
    DELETE FROM "list_counts" ${where} AND items = 0;`;
  return [
    `CREATE TRIGGER "${table}_count_add" AFTER INSERT ON "${table}" BEGIN ${add} END`,
    `CREATE TRIGGER "${table}_count_remove" AFTER DELETE ON "${table}" BEGIN ${remove} END`,
    `CREATE TRIGGER "${table}_count_change" AFTER UPDATE OF ${status} ON "${table}"
     WHEN OLD.${status} <> NEW.${status} BEGIN ${add} ${remove} END`,
  ];
}

/**
 * Triggers for PostgreSQL, which run once per statement. Statements lock the counts in the same order, so that they
 * cannot deadlock.
 */
function postgresTriggers({ table, list, status }: CountedTable): readonly string[] {
  const changes = (rows: string, change: 1 | -1): string =>
    `SELECT ${list} AS list_id, ${status} AS status, substr(id::text, 1, ${PERIOD_LENGTH}) AS period, ${change} AS change
     FROM ${rows}`;
  const count = (sources: readonly string[]): string =>
    `INSERT INTO "list_counts" AS c (${KEY}, items)
     SELECT ${KEY}, sum(change) FROM (${sources.join(' UNION ALL ')}) AS changes
     GROUP BY ${KEY} HAVING sum(change) <> 0 ORDER BY ${KEY}
     ON CONFLICT (${KEY}) DO UPDATE SET items = c.items + excluded.items;`;
  const clear = `DELETE FROM "list_counts" WHERE items = 0 AND (${KEY}) IN (
    SELECT list_id, status, period FROM (${changes('removed', -1)}) AS changes);`;
  const [added, removed] = [changes('added', 1), changes('removed', -1)];
  const trigger = (name: string, event: string, body: string): readonly string[] => [
    `CREATE FUNCTION "${table}_${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN ${body} RETURN NULL; END $$`,
    `CREATE TRIGGER "${table}_${name}" AFTER ${event} FOR EACH STATEMENT EXECUTE FUNCTION "${table}_${name}"()`,
  ];
  const [old, fresh] = ['OLD TABLE AS removed', 'NEW TABLE AS added'];
  return [
    ...trigger('count_add', `INSERT ON "${table}" REFERENCING ${fresh}`, count([added])),
    ...trigger('count_remove', `DELETE ON "${table}" REFERENCING ${old}`, count([removed]) + clear),
    ...trigger(
      'count_change',
      `UPDATE ON "${table}" REFERENCING ${old} ${fresh}`,
      count([added, removed]) + clear,
    ),
  ];
}

/**
 * Adds stored row counts of long lists, by status and by the period in which the rows were created. Triggers
 * maintain the counts, because processes of the previous version also write rows.
 */
export class ListCounts1796083200000 implements MigrationInterface {
  readonly name = 'ListCounts1796083200000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const { id, position } = columnTypes(runner);
    await runner.query(
      `CREATE TABLE "list_counts" ("list_id" ${id} NOT NULL, "status" varchar NOT NULL, "period" varchar NOT NULL,
        "items" ${position} NOT NULL, CONSTRAINT "list_counts_pkey" PRIMARY KEY ("list_id", "status", "period"))
        ${isPostgres ? 'WITH (fillfactor = 50)' : 'WITHOUT ROWID'}`,
    );
    for (const table of TABLES) {
      // Creating a trigger on PostgreSQL locks the table. So no other process can write rows before the
      // migration has counted the existing rows.
      for (const sql of isPostgres ? postgresTriggers(table) : sqliteTriggers(table)) await runner.query(sql);
      const rowId = isPostgres ? 'id::text' : 'id';
      await runner.query(
        `${INTO} SELECT ${table.list}, ${table.status}, substr(${rowId}, 1, ${PERIOD_LENGTH}), count(*)
         FROM "${table.table}" GROUP BY 1, 2, 3`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    for (const { table } of TABLES)
      for (const name of ['count_add', 'count_remove', 'count_change']) {
        await runner.query(`DROP TRIGGER "${table}_${name}"${isPostgres ? ` ON "${table}"` : ''}`);
        if (isPostgres) await runner.query(`DROP FUNCTION "${table}_${name}"`);
      }
    await runner.query('DROP TABLE "list_counts"');
  }
}
