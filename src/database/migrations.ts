import { withStatementLimit } from './statement-limits.js';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/** An arbitrary number, equal in every process; one-key advisory locks never collide with two-key ones. */
const LOCK = 7_305_804_385;

/** Thrown when the database has migrations that this version does not know. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(unknown: readonly string[]) {
    super(
      `The database has a newer schema than this version of the service (${unknown.join(', ')}). Start the version that made it, or a later one; or restore a backup from before.`,
    );
  }
}

/** What a migrating process does to the schema. */
export interface SchemaSteps {
  /**
   * Applies missing migrations.
   * @returns their names, oldest first
   * @throws NewerSchemaError
   */
  up(): Promise<readonly string[]>;
  /** Reverts the last migration. */
  down(): Promise<void>;
  /** Names of pending migrations. */
  pending(): Promise<readonly string[]>;
}

/**
 * Migrates the schema under a lock: other processes wait and then find it done. The lock ends with the connection, so a
 * dead process releases it, and its unfinished migration is rolled back.
 * @param work gets the connection that holds the lock; no other process migrates while it runs
 */
export async function withSchemaLocked<T>(
  dataSource: DataSource,
  work: (steps: SchemaSteps, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  // Waiting for another process, or building an index over a large table, takes longer than a request may.
  return withStatementLimit(Infinity, () => locked(dataSource, work));
}

async function locked<T>(
  dataSource: DataSource,
  work: (steps: SchemaSteps, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    return dataSource.options.type === 'postgres'
      ? await lockedByAdvice(runner, () => work(stepsOf(dataSource, runner, 'each'), runner))
      : await inOneTransaction(runner, () => work(stepsOf(dataSource, runner, 'none'), runner));
  } finally {
    await runner.release();
  }
}

function stepsOf(dataSource: DataSource, runner: QueryRunner, transaction: 'each' | 'none'): SchemaSteps {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = transaction;
  return {
    up: async () => {
      const known = new Set(dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name));
      const applied = (await executor.getExecutedMigrations()).map(({ name }) => name);
      const unknown = applied.filter((name) => !known.has(name));
      if (unknown.length > 0) throw new NewerSchemaError(unknown);
      return (await executor.executePendingMigrations()).map(({ name }) => name);
    },
    down: () => executor.undoLastMigration(),
    pending: async () => (await executor.getPendingMigrations()).map(({ name }) => name),
  };
}

/** Session-level: each migration is its own transaction, and the lock covers all of them. */
async function lockedByAdvice<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    return await work();
  } finally {
    await runner
      .query(`SELECT pg_advisory_unlock(${LOCK}); RESET ALL`)
      // A lost connection holds no lock.
      .catch(() => undefined);
  }
}

/** SQLite locks by writing: all migrations share one transaction, begun as a writing one. */
async function inOneTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query('BEGIN IMMEDIATE');
  try {
    const outcome = await work();
    await runner.query('COMMIT');
    return outcome;
  } catch (error) {
    await runner.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
