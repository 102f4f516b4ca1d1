import { Column, Entity } from 'typeorm';
import { TimeColumn } from './columns.js';

/** A step of a plug-in's own schema that was applied. */
@Entity('plugin_migrations')
export class PluginMigrationEntity {
  /** The name in the package.json of the plug-in. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  plugin: string;

  /** The name of the class of the step. */
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'plugin_migrations_pkey' })
  name: string;

  @TimeColumn({ name: 'applied_at' })
  appliedAt: string;
}
