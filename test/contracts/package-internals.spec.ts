import { createServer } from 'node:http';
import { WsAdapter } from '@nestjs/platform-ws';
import { Injectable, Module } from '@nestjs/common';
import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import { ApiProperty } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import BetterSqlite from 'better-sqlite3';
import { Client, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionOf } from '../../src/database/index.js';
import { poolOf } from '../../src/storage/queries/prepared-queries.ts';

/** Tests the claims of docs/adr/0042-package-internals.md. A test fails if an update of a package breaks a claim. */
describe('the internals of packages that the service uses', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('TypeORM keeps the SQLite connection in `driver.databaseConnection`', async () => {
    const dataSource = await new DataSource({ type: 'better-sqlite3', database: ':memory:' }).initialize();
    closing.push(() => dataSource.destroy());
    expect(connectionOf(dataSource)).toBeInstanceOf(BetterSqlite);
  });

  it.runIf(process.env['TEST_POSTGRES_URL'])(
    'TypeORM keeps the pg connection pool in `driver.master`',
    async () => {
      const url = process.env['TEST_POSTGRES_URL'] ?? '';
      const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
      closing.push(() => dataSource.destroy());
      expect(poolOf(dataSource)).toBeInstanceOf(Pool);
    },
  );

  it.runIf(process.env['TEST_POSTGRES_URL'])(
    'a pg client exposes its connection and the stream of the connection',
    async () => {
      const client = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
      await client.connect();
      const { connection } = client as unknown as {
        readonly connection: {
          readonly stream: { destroy(): void };
          on(event: string, listen: () => void): void;
        };
      };
      const ready = new Promise<void>((resolve) => connection.on('readyForQuery', () => resolve()));
      await client.query('SELECT 1');
      await ready;
      const ended = new Promise<void>((resolve) => client.on('error', () => resolve()));
      connection.stream.destroy();
      await Promise.race([ended, new Promise<void>((resolve) => client.on('end', () => resolve()))]);
    },
  );

  it('Swagger keeps the documented fields of a class in the metadata of the class', () => {
    class Described {
      @ApiProperty({ type: String, nullable: true })
      readonly name!: string | null;
    }
    const prototype = Described.prototype as object;
    expect(Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype)).toEqual([':name']);
    expect(Reflect.getMetadata('swagger/apiModelProperties', prototype, 'name')).toMatchObject({
      nullable: true,
    });
  });

  it('Nest throws an UnknownDependenciesException that names the module in its first line', async () => {
    @Injectable()
    class Missing {}
    @Injectable()
    class Needing {
      constructor(readonly missing: Missing) {}
    }
    Reflect.defineMetadata('design:paramtypes', [Missing], Needing);
    @Module({ providers: [Needing] })
    class AcmeModule {}
    const error: unknown = await Test.createTestingModule({ imports: [AcmeModule] })
      .compile()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnknownDependenciesException);
    expect((error as Error).message.split('\n', 1)[0]).toContain('AcmeModule');
  });

  it('the WebSocket adapter of Nest stores its servers in `wsServersRegistry` by port', () => {
    class Adapter extends WsAdapter {
      servers(port: number): unknown {
        return this.wsServersRegistry.get(port);
      }
    }
    const adapter = new Adapter(createServer());
    const server = adapter.create(0, { path: '/ws' }) as { readonly options: { readonly path?: string } };
    closing.push(() => adapter.dispose());
    expect(adapter.servers(0)).toContain(server);
  });
});
