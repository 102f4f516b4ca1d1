import { directDataSource } from './postgres-options.js';
import { withStatementLimit } from './statement-limits.js';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/**
 * Key of the PostgreSQL advisory lock for migrations: an arbitrary number, equal in all processes. Other advisory locks
 * of the service use two-part keys, which never conflict with a single number.
 */
const LOCK = 7_305_804_385;

/** Thrown when the database has migrations that this version of the service does not know. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(unknown: readonly string[]) {
    super(
      `The database has a newer schema than this version of the service (unknown migrations: ${unknown.join(', ')}). Start the version of the service that created the schema, or a later version. Or restore a backup from before the upgrade.`,
    );
  }
}

/**
 * Operations on the database schema, such as applying or undoing migrations. Only the process that holds the migration
 * lock may call them.
 */
export interface SchemaSteps {
  /**
   * @returns the names of the applied migrations, oldest first
   * @throws NewerSchemaError
   */
  up(): Promise<readonly string[]>;
  down(): Promise<void>;
  pending(): Promise<readonly string[]>;
}

/**
 * Calls `work` while this process holds the migration lock, for which other processes wait. If the connection breaks,
 * PostgreSQL releases the lock and rolls back an unfinished migration.
 * @param work gets the connection that holds the lock
 */
export async function withSchemaLocked<T>(
  dataSource: DataSource,
  work: (steps: SchemaSteps, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  // Migrations have no statement limit. Building a large index, or waiting for the migration of another process, may
  // take long.
  return withStatementLimit(Infinity, async () => {
    // Migrations do not use the pooler, which could take the lock in one database session and migrate in another.
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

/** Takes the advisory lock for the database session, because each migration has its own transaction. */
async function lockedByAdvice<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    return await work();
  } finally {
    await runner
      .query(`SELECT pg_advisory_unlock(${LOCK}); RESET ALL`)
      // If unlocking fails, the connection is broken, and PostgreSQL has already released the lock.
      .catch(() => undefined);
  }
}

/**
 * Runs all migrations in one transaction. `BEGIN IMMEDIATE` takes the write lock of the SQLite file, so other processes
 * wait.
 */
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
