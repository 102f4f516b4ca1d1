import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Assigns the same positions as before, but keeps the last position of the transaction instead of the number of its
 * rows. So only the first row of a transaction reads `journal_offset`. A call of the SQL function `journal_position_of`
 * would take longer than the insert of a row.
 */
export const JOURNAL_POSITION = `CREATE OR REPLACE FUNCTION journal_position() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
   DECLARE
     own text := pg_current_xact_id()::text;
     last_row text := current_setting('workflow_service.journal_row', true);
     next_position bigint;
   BEGIN
     IF split_part(last_row, ':', 1) = own THEN
       next_position := split_part(last_row, ':', 2)::bigint + 1;
       -- The first position of each transaction is a multiple of 1024.
       IF next_position % 1024 = 0 THEN
         RAISE EXCEPTION 'A transaction may write at most 1024 rows of the journal.';
       END IF;
     ELSE
       SELECT last_value + own::bigint * 1024 INTO next_position FROM journal_offset;
     END IF;
     last_row := set_config('workflow_service.journal_row', own || ':' || next_position, true);
     RETURN next_position;
   END $$`;

/** Reduces the cost of a position in the journal on PostgreSQL. SQLite assigns positions itself. */
export class JournalPositionCost1796083202000 implements MigrationInterface {
  readonly name = 'JournalPositionCost1796083202000';

  async up(runner: QueryRunner): Promise<void> {
    if (runner.dataSource.options.type === 'postgres') await runner.query(JOURNAL_POSITION);
  }

  /** Leaves the function as it is, because the previous version of the service also works with it. */
  async down(): Promise<void> {}
}
