import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MigrationClass } from '../../src/database/index.js';
import { ClockModule } from '../../src/platform/index.js';
import { ConfigModule, readSettings } from '../../src/settings/index.js';
import { PluginMigrations1763965000000 } from '../../migrations/1763965000000-plugin-migrations.js';
import { DatabaseModule } from '../../src/storage/index.js';

@Entity('notes')
class NoteEntity {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('text')
  readonly text!: string;
}

@Module({ imports: [TypeOrmModule.forFeature([NoteEntity])] })
class NotesModule {}

class AddNotes1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Creates the table `executions`, as the first migration of the service does. Without this table, the startup would
    // treat the file as the database of another program.
    await runner.query('CREATE TABLE executions (id text PRIMARY KEY)');
    await runner.query('CREATE TABLE notes (id text PRIMARY KEY, text text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}

class AddNothing1700000000001 extends AddNotes1700000000001 {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE executions (id text PRIMARY KEY)');
  }
}

Logger.overrideLogger(false);

describe('the check of entities, modules and tables at startup', () => {
  let directory: string;
  let app: TestingModule | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'schema-check-'));
    app = undefined;
  });
  afterEach(async () => {
    await app?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = async (migration: MigrationClass): Promise<TestingModule> => {
    const settings = readSettings({ DATA_DIR: directory, NODE_ENV: 'test', LOG_LEVEL: 'silent' });
    // The migration of plug-ins creates a table that `DatabaseModule` needs.
    const migrations = [migration, PluginMigrations1763965000000];
    const database = DatabaseModule.forRoot({ migrations, isService: true });
    const imports = [ConfigModule.forRoot(settings), ClockModule, database, NotesModule];
    app = await Test.createTestingModule({ imports }).compile();
    return app;
  };

  it('the database module collects the TypeORM entities of every Nest module', async () => {
    const notes = (await start(AddNotes1700000000001)).get<Repository<NoteEntity>>(
      getRepositoryToken(NoteEntity),
    );
    await notes.insert({ id: '1', text: 'first' });
    expect(await notes.findOneBy({ id: '1' })).toEqual({ id: '1', text: 'first' });
  });

  it('the service refuses to start if a TypeORM entity has no table', async () => {
    await expect(start(AddNothing1700000000001)).rejects.toThrow('NoteEntity has no table "notes"');
  });

  it('the service refuses to start with a TypeORM entity that no Nest module lists', async () => {
    @Entity('strays')
    class StrayEntity extends NoteEntity {}
    expect(StrayEntity.name).toBe('StrayEntity');
    await expect(start(AddNotes1700000000001)).rejects.toThrow('StrayEntity is not part of a module');
  });
});
