import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables in which rows are inserted and deleted all the time. Autovacuum cleans them at 5 % of dead rows instead of 20
 * %.
 */
const FLOWING = [
  'executions',
  'journal',
  'payloads',
  'checkpoints',
  'execution_metadata',
  'execution_messages',
  'execution_admissions',
  'execution_stragglers',
  'execution_hours',
  'idempotency_keys',
  'results',
  'session_state_changes',
  'hook_deliveries',
  'webhook_deliveries',
  'webhook_retries',
  'schedule_fires',
] as const;

const FLOWING_PARAMETERS: Parameters = {
  autovacuum_vacuum_scale_factor: 0.05,
  autovacuum_vacuum_insert_scale_factor: 0.1,
  autovacuum_vacuum_cost_limit: 1_000,
};

/** Tables with long values, which PostgreSQL stores in separate tables with their own parameters. */
const WITH_LONG_VALUES: ReadonlySet<string> = new Set([
  'executions',
  'journal',
  'payloads',
  'checkpoints',
  'results',
]);

/**
 * Percentage of a page that inserts fill. The free space keeps new versions of updated rows in the same page,
 * so that they need no new index entries.
 */
const FILL_FACTORS: Readonly<Record<string, number>> = {
  // An execution updates its row about three times. With a fill factor of 85 %, 46 % of these updates need no
  // new index entry. With full pages, only 12 % of the updates need none.
  executions: 85,
  sessions: 80,
  // The tables from `access_epoch` to `webhooks` have few rows, which are updated all the time. Inserts
  // therefore fill only half of each page.
  access_epoch: 50,
  chores: 50,
  execution_frontier: 50,
  execution_spans: 50,
  execution_totals: 50,
  instances: 50,
  journal_floor: 50,
  trace_exports: 50,
  webhooks: 50,
};

type Parameters = Readonly<Record<string, number>>;

/** Prevents PostgreSQL tables from growing while rows are inserted and deleted. Changes nothing on SQLite. */
export class Autovacuum1795737600000 implements MigrationInterface {
  readonly name = 'Autovacuum1795737600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, parameters] of this.parameters(runner)) {
      const list = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
      await runner.query(`ALTER TABLE "${table}" SET (${list.join(', ')})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, parameters] of this.parameters(runner))
      await runner.query(`ALTER TABLE "${table}" RESET (${Object.keys(parameters).join(', ')})`);
  }

  private parameters(runner: QueryRunner): readonly (readonly [string, Parameters])[] {
    if (runner.dataSource.options.type !== 'postgres') return [];
    const ofLongValues = Object.entries(FLOWING_PARAMETERS).map(
      ([name, value]) => [`toast.${name}`, value] as const,
    );
    return [
      ...FLOWING.map(
        (table) =>
          [
            table,
            { ...FLOWING_PARAMETERS, ...(WITH_LONG_VALUES.has(table) && Object.fromEntries(ofLongValues)) },
          ] as const,
      ),
      ...Object.entries(FILL_FACTORS).map(([table, fillfactor]) => [table, { fillfactor }] as const),
    ];
  }
}
