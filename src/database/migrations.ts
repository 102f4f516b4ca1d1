import { directDataSource } from './postgres-options.js';
import { withStatementLimit } from './statement-limits.js';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/**
 * Number of the advisory lock. The number is arbitrary, but all processes must use the same one. Other locks of the
 * service have two keys, so they cannot collide with this lock.
 */
const LOCK = 7_305_804_385;

/** Thrown when the database has migrations that this version of the service does not have. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(unknown: readonly string[]) {
    super(
      `The database has a newer schema than this version of the service (${unknown.join(', ')}). Start the version that created it or a later one, or restore an older backup.`,
    );
  }
}

/** The steps that a process with the schema lock can perform. */
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
 * Runs work while this process has the lock for migrations. Other processes wait. PostgreSQL releases the lock when the
 * connection ends. If the process dies, its unfinished migration is rolled back.
 * @param work gets the connection that has the lock; no other process migrates while it runs
 */
export async function withSchemaLocked<T>(
  dataSource: DataSource,
  work: (steps: SchemaSteps, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  // No statement limit: a wait for another process, or building an index on a large table, takes longer than a request
  // may take.
  return withStatementLimit(Infinity, async () => {
    // A pooler in transaction mode could take the lock in one session and run the migrations in another.
    const direct = await directDataSource(dataSource);
    try {
      return await locked(direct ?? dataSource, work);
    } finally {
      await direct?.destroy();
    }
  });
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

/**
 * Takes an advisory lock of the session. A lock of a transaction would not suffice: each migration is a transaction.
 */
async function lockedByAdvice<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    return await work();
  } finally {
    await runner
      .query(`SELECT pg_advisory_unlock(${LOCK}); RESET ALL`)
      // An error means that the connection was lost. The lock was released with the connection.
      .catch(() => undefined);
  }
}

/** Runs all migrations in one transaction that locks the SQLite file for writing from its start. */
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
