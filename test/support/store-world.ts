import { InstanceRepository } from '../../src/instances/index.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from './database.js';
import { ExecutionStore } from './execution-store.js';

/** A migrated SQLite database with an execution store, for tests of repositories. */
export class StoreWorld {
  readonly instances: InstanceRepository;

  private constructor(
    readonly store: ExecutionStore,
    private readonly database: TestDatabase,
  ) {
    this.instances = new InstanceRepository(store.dataSource, 'sqlite', store.writer);
  }

  static async open(): Promise<StoreWorld> {
    const sqlite = (await databaseKinds()).find(({ name }) => name === 'sqlite');
    if (sqlite === undefined)
      throw new Error('StoreWorld needs SQLite, but databaseKinds() returns no entry for SQLite.');
    const database = await sqlite.create();
    return new StoreWorld(await ExecutionStore.open(database.settings), database);
  }

  /** Registers a live process of the service in the database. @returns the id of the process */
  async addProcess(): Promise<string> {
    const id = newId();
    await this.instances.register({ id, host: 'localhost', pid: 1, role: 'all', version: null });
    return id;
  }

  /** @returns the rows of a query; its placeholders are `?` */
  rows<Row>(sql: string, ...parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.store.dataSource.query<readonly Row[]>(sql, [...parameters]);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.database.drop();
  }
}
