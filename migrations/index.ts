import type { MigrationInterface } from 'typeorm';
import { InitialSchema1763712000000 } from './1763712000000-initial-schema.js';

/** Every step of the schema, oldest first. A step that was released is never changed. */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [InitialSchema1763712000000];
