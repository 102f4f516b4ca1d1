import { Column, Entity } from 'typeorm';
import { TimeColumn } from './columns.js';

/** An applied migration of a plug-in. */
@Entity('plugin_migrations')
export class PluginMigrationEntity {
  /** Name of the plug-in, from its package.json. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  plugin: string;

  /** Class name of the migration. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  name: string;

  @TimeColumn({ name: 'applied_at' })
  appliedAt: string;
}
