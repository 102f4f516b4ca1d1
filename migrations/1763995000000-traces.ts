import type { MigrationInterface, QueryRunner } from 'typeorm';

const TYPES = {
  sqlite: { id: 'varchar', time: 'varchar', position: 'integer' },
  postgres: { id: 'uuid', time: 'timestamptz(3)', position: 'bigint' },
} as const;

/** Adds the trace context of executions and signals, and the position up to which spans are exported. */
export class Traces1763995000000 implements MigrationInterface {
  readonly name = 'Traces1763995000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const { id, time, position } = TYPES[dialect];
    for (const statement of [
      `ALTER TABLE "executions" ADD COLUMN "trace_context" varchar`,
      `ALTER TABLE "execution_messages" ADD COLUMN "traceparent" varchar`,
      `CREATE TABLE "trace_exports" (
        "id" ${id} PRIMARY KEY NOT NULL,
        "instance_id" ${id} NOT NULL,
        "exported_to" ${position} NOT NULL,
        "ends_at" ${position},
        "updated_at" ${time} NOT NULL)`,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP TABLE "trace_exports"',
      'ALTER TABLE "execution_messages" DROP COLUMN "traceparent"',
      'ALTER TABLE "executions" DROP COLUMN "trace_context"',
    ])
      await runner.query(statement);
  }
}
