import type { DataSource } from 'typeorm';
import { expect } from 'vitest';

/** Reverts the newest migrations, down to and including the named migration. */
export async function undoMigrationsTo(dataSource: DataSource, name: string): Promise<void> {
  const isApplied = async (): Promise<boolean> =>
    (await dataSource.query<readonly object[]>(`SELECT 1 FROM migrations WHERE name = '${name}'`)).length > 0;
  expect(await isApplied()).toBe(true);
  while (await isApplied()) await dataSource.undoLastMigration();
}
