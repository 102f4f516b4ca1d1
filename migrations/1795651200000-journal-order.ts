import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SQL functions for PostgreSQL that order the journal by transaction id. A position is an offset, plus 1,024 times the
 * transaction id, plus the number of the row in the transaction. Commits therefore need no lock to define their order.
 */
export const POSITION_FUNCTIONS = [
  // The offset of journal positions. It changes only if the server's transaction ids restart, for example
  // after a restore.
  'CREATE SEQUENCE "journal_offset" MINVALUE -9223372036854775808 START 0',
  `CREATE FUNCTION journal_position_of(xid8) RETURNS bigint LANGUAGE sql STABLE AS $$
     SELECT last_value + $1::text::bigint * 1024 FROM journal_offset $$`,
  // Returns the horizon of the journal: each row with a lower position is visible, and no transaction can add
  // another row with a lower position.
  `CREATE FUNCTION journal_horizon() RETURNS bigint LANGUAGE sql STABLE AS $$
     SELECT journal_position_of(pg_snapshot_xmin(pg_current_snapshot())) $$`,
  // Like `journal_horizon`, but ignores transactions of other databases on the server, because they cannot write to the
  // journal.
  `CREATE FUNCTION journal_database_horizon() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     latest bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
     oldest bigint;
   BEGIN
     SELECT min(latest - age) INTO oldest FROM (
       SELECT (latest - backend_xid::text::bigint) & 4294967295 AS age FROM pg_stat_activity
       WHERE backend_xid IS NOT NULL AND (datname IS NULL OR datname = current_database())
       UNION ALL
       SELECT (latest - transaction::text::bigint) & 4294967295 FROM pg_prepared_xacts
       WHERE database = current_database()
     ) AS running WHERE age < 2147483648;
     RETURN journal_position_of(least(oldest, latest)::text::xid8);
   END $$`,
  `CREATE FUNCTION journal_position() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     own xid8 := pg_current_xact_id();
     kept text := current_setting('workflow_service.journal_row', true);
     place integer := 0;
   BEGIN
     IF split_part(kept, ':', 1) = own::text THEN
       place := split_part(kept, ':', 2)::integer + 1;
     END IF;
     IF place >= 1024 THEN
       RAISE EXCEPTION 'A transaction may write at most 1024 rows of the journal.';
     END IF;
     PERFORM set_config('workflow_service.journal_row', own::text || ':' || place, true);
     RETURN journal_position_of(own) + place;
   END $$`,
  `CREATE FUNCTION journal_renew_offset() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     newest bigint;
   BEGIN
     SELECT greatest((SELECT max(position) FROM journal), (SELECT position FROM journal_floor WHERE id = 1), 0)
       INTO newest;
     IF newest < journal_position_of(pg_snapshot_xmax(pg_current_snapshot())) THEN
       RETURN false;
     END IF;
     LOCK TABLE journal IN SHARE ROW EXCLUSIVE MODE;
     SELECT greatest((SELECT max(position) FROM journal), (SELECT position FROM journal_floor WHERE id = 1), 0)
       INTO newest;
     IF newest < journal_position_of(pg_snapshot_xmax(pg_current_snapshot())) THEN
       RETURN false;
     END IF;
     PERFORM setval('journal_offset', (newest / 1024 + 1 - pg_current_xact_id()::text::bigint) * 1024);
     RETURN true;
   END $$`,
];

const UP = [
  'LOCK TABLE "journal" IN ACCESS EXCLUSIVE MODE',
  ...POSITION_FUNCTIONS,
  // New journal positions must be greater than all existing positions, whatever the next transaction id of
  // the server is.
  `SELECT setval('journal_offset', (
     greatest((SELECT max(position) FROM journal), (SELECT position FROM journal_floor WHERE id = 1), 0) / 1024 + 1
     - pg_current_xact_id()::text::bigint) * 1024)`,
  'ALTER TABLE "journal" ALTER COLUMN "position" SET DEFAULT journal_position()',
  'DROP SEQUENCE "journal_position_seq"',
];

const DOWN = [
  'LOCK TABLE "journal" IN ACCESS EXCLUSIVE MODE',
  'CREATE SEQUENCE "journal_position_seq" OWNED BY "journal"."position"',
  `SELECT setval('journal_position_seq', greatest((SELECT max(position) FROM journal), (SELECT position FROM journal_floor WHERE id = 1), 0) + 1, false)`,
  `ALTER TABLE "journal" ALTER COLUMN "position" SET DEFAULT nextval('journal_position_seq'::regclass)`,
  'DROP FUNCTION journal_renew_offset()',
  'DROP FUNCTION journal_position()',
  'DROP FUNCTION journal_database_horizon()',
  'DROP FUNCTION journal_horizon()',
  'DROP FUNCTION journal_position_of(xid8)',
  'DROP SEQUENCE "journal_offset"',
];

/** Orders the journal by transaction ids. SQLite needs no change, because a single writer commits in order. */
export class JournalOrder1795651200000 implements MigrationInterface {
  readonly name = 'JournalOrder1795651200000';

  async up(runner: QueryRunner): Promise<void> {
    if (runner.dataSource.options.type !== 'postgres') return;
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.dataSource.options.type !== 'postgres') return;
    for (const statement of DOWN) await runner.query(statement);
  }
}
