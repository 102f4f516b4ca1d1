import { type DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions, inTurn, openDataSource, type Settings } from '../platform/index.js';
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
    const applied = await inTurn(this.dataSource.options, () => this.dataSource.runMigrations());
    return applied.map(({ name }) => name);
  }

  /** Takes the last step back; its name, or undefined where there is none. */
  async down(): Promise<string | undefined> {
    return inTurn(this.dataSource.options, async () => {
      const last = (await this.states()).findLast(({ applied }) => applied);
      if (last !== undefined) await this.dataSource.undoLastMigration();
      return last?.name;
    });
  }

  /** Every step, oldest first. */
  async states(): Promise<readonly MigrationState[]> {
    const executor = new MigrationExecutor(this.dataSource);
    const pending = new Set((await executor.getPendingMigrations()).map(({ name }) => name));
    const names = this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
    return names.map((name) => ({ name, applied: !pending.has(name) }));
  }
}
