import { Column, Entity } from 'typeorm';
import { TimeColumn } from './columns.js';

@Entity('plugin_migrations')
export class PluginMigrationEntity {
  /** Name of the plug-in's npm package. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  plugin: string;

  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  name: string;

  @TimeColumn({ name: 'applied_at' })
  appliedAt: string;
}
