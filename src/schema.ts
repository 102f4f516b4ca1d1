// Importing the root module loads the entities of all modules, so that TypeORM knows every entity.
import './app.module.js';
import { type EntityClass, loadedEntities, type MigrationClass } from './database/index.js';
import { type SealedColumnDescription, sealedColumns } from './encryption/index.js';
import { MIGRATIONS as ALL_MIGRATIONS } from '../migrations/index.js';

export const ENTITIES: readonly EntityClass[] = loadedEntities();

/** All columns with encrypted values. */
export const SEALED_COLUMNS: readonly SealedColumnDescription[] = sealedColumns();

export const MIGRATIONS: readonly MigrationClass[] = ALL_MIGRATIONS;
