import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A statement that is the same on SQLite and PostgreSQL. */
const EXECUTIONS_INDEX = `CREATE INDEX "executions_descendants" ON "executions" ("root_id", "finished_at") WHERE root_id IS NOT NULL`;

const TABLES = {
  sqlite: [
    `ALTER TABLE "executions" ADD COLUMN "root_id" varchar`,
    `CREATE TABLE "cancellation_jobs" ("id" varchar PRIMARY KEY NOT NULL,
      "kind" varchar NOT NULL,
      "subject_id" varchar NOT NULL,
      "reason" text,
      "owner" varchar,
      "created_at" varchar NOT NULL)`,
  ],
  postgres: [
    `ALTER TABLE "executions" ADD COLUMN "root_id" uuid`,
    `CREATE TABLE "cancellation_jobs" ("id" uuid NOT NULL,
      "kind" character varying NOT NULL,
      "subject_id" uuid NOT NULL,
      "reason" text,
      "owner" uuid,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "cancellation_jobs_pkey" PRIMARY KEY ("id"))`,
  ],
} as const;

/** Adds the root execution of each child, and jobs that cancel executions in the background. */
export class ExecutionTrees1763910000000 implements MigrationInterface {
  readonly name = 'ExecutionTrees1763910000000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    for (const statement of TABLES[dialect]) await runner.query(statement);
    const [row] = (await runner.query('SELECT max(depth) AS deepest FROM "executions"')) as readonly {
      readonly deepest: number | null;
    }[];
    // Parents are updated first, because children copy the root from their parent.
    for (let depth = 1; depth <= (row?.deepest ?? 0); depth += 1)
      await runner.query(
        `UPDATE "executions" SET root_id =
          COALESCE((SELECT COALESCE(p.root_id, p.id) FROM "executions" p WHERE p.id = "executions".parent_id), parent_id)
         WHERE depth = ${depth} AND parent_id IS NOT NULL`,
      );
    await runner.query(EXECUTIONS_INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP TABLE "cancellation_jobs"',
      'DROP INDEX "executions_descendants"',
      'ALTER TABLE "executions" DROP COLUMN "root_id"',
    ])
      await runner.query(statement);
  }
}
