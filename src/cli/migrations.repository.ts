import { type DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions, openDataSource, type Settings, withSchemaLocked } from '../platform/index.js';
import { ENTITIES, MIGRATIONS } from '../schema.js';

/** A step of the schema and whether the database has it. */
export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
}

/** The schema of the database, moved by hand. */
export class MigrationsRepository {
  private constructor(private readonly dataSource: DataSource) {}

  /** @throws DatabaseUnavailableError */
  static async open({ database }: Settings): Promise<MigrationsRepository> {
    return new MigrationsRepository(
      await openDataSource(dataSourceOptions(database, ENTITIES, MIGRATIONS), false),
    );
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  /** Brings the schema up to date; the names of what was missing. */
  async up(): Promise<readonly string[]> {
    return withSchemaLocked(this.dataSource, (steps) => steps.up());
  }

  /** Takes the last step back; its name, or undefined where there is none. */
  async down(): Promise<string | undefined> {
    return withSchemaLocked(this.dataSource, async (steps) => {
      const pending = await steps.pending();
      const last = this.names().findLast((name) => !pending.includes(name));
      if (last !== undefined) await steps.down();
      return last;
    });
  }

  /** Every step, oldest first. */
  async states(): Promise<readonly MigrationState[]> {
    const executor = new MigrationExecutor(this.dataSource);
    const pending = new Set((await executor.getPendingMigrations()).map(({ name }) => name));
    return this.names().map((name) => ({ name, applied: !pending.has(name) }));
  }

  private names(): readonly string[] {
    return this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }
}
