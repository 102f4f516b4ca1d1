import { withStatementLimit } from './statement-limits.js';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/** Any number, the same in every process; advisory locks of one key are counted apart from those of two. */
const LOCK = 7_305_804_385;

/** Thrown when the database has steps of the schema that this version does not know. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(unknown: readonly string[]) {
    super(
      `The database has a newer schema than this version of the service (${unknown.join(', ')}). Start the version that made it, or a later one; or restore a backup from before.`,
    );
  }
}

/** What a process that moves the schema does to it. */
export interface SchemaSteps {
  /**
   * Applies what is missing.
   * @returns its names, oldest first
   * @throws NewerSchemaError
   */
  up(): Promise<readonly string[]>;
  /** Takes the last step back. */
  down(): Promise<void>;
  /** Of steps that are not applied. */
  pending(): Promise<readonly string[]>;
}

/**
 * Moves the schema while nobody else does: who comes meanwhile waits, and then finds it done. The lock ends with the
 * connection, so a process that dies takes it along, and its unfinished step is rolled back.
 * @param work is given the connection that holds the lock, too; no other process moves the schema while it runs
 */
export async function withSchemaLocked<T>(
  dataSource: DataSource,
  work: (steps: SchemaSteps, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  // Neither the wait for another process nor an index over a large table is done in the time of a request.
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

/** Session-level: a step is a transaction of its own, and the lock is for all of them. */
async function lockedByAdvice<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    return await work();
  } finally {
    await runner
      .query(`SELECT pg_advisory_unlock(${LOCK}); RESET ALL`)
      // A connection that was lost holds nothing any more.
      .catch(() => undefined);
  }
}

/** SQLite locks by writing: all steps are one transaction, begun as one that writes. */
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
