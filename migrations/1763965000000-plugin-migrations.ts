import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PluginMigrations1763965000000 implements MigrationInterface {
  readonly name = 'PluginMigrations1763965000000';

  async up(runner: QueryRunner): Promise<void> {
    const time = runner.dataSource.options.type === 'postgres' ? 'timestamp(3) with time zone' : 'varchar';
    await runner.query(`CREATE TABLE "plugin_migrations" ("plugin" varchar NOT NULL,
      "name" varchar NOT NULL,
      "applied_at" ${time} NOT NULL,
      CONSTRAINT "plugin_migrations_pkey" PRIMARY KEY ("plugin", "name"))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "plugin_migrations"');
  }
}
