import { NodeTypesModule } from './node-types.module.js';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClockModule } from '../platform/index.js';
import { ConfigModule, readSettings } from '../settings/index.js';
import { ValidationPipe } from '../http/index.js';
import { NodesModule, type NodeTypeView } from '../nodes/index.js';

interface Listed {
  readonly data: readonly NodeTypeView[];
  readonly pagination: {
    readonly total: number;
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
    readonly next_cursor?: string;
  };
}

describe('GET /v1/node-types', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    const imports = [ConfigModule.forRoot(readSettings({})), ClockModule, NodesModule, NodeTypesModule];
    const module = await Test.createTestingModule({ imports }).compile();
    app = module.createNestApplication<NestExpressApplication>();
    app.useGlobalPipes(new ValidationPipe());
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  async function list(query: string): Promise<Listed> {
    const response = await fetch(`${await app.getUrl()}/v1/node-types${query}`);
    expect(response.status).toBe(200);
    return (await response.json()) as Listed;
  }

  it('GET /v1/node-types returns the title, schemas and capabilities of each node type', async () => {
    const { data, pagination } = await list('?limit=100');
    expect(pagination).toEqual({ total: data.length, limit: 100, offset: 0, has_more: false });
    expect(data.find(({ type }) => type === 'set')).toEqual({
      type: 'set',
      version: 1,
      title: 'Set',
      description: expect.any(String),
      schema: expect.objectContaining({ required: ['value'] }),
      output_schema: expect.any(Object),
      capabilities: {
        pure: true,
        cacheable: false,
        cacheable_on_request: false,
        suspends: false,
        starts_children: false,
        iterates: false,
      },
      source: 'workflow-service',
    });
  });

  it('GET /v1/node-types returns pages by offset or by cursor', async () => {
    const all = (await list('?limit=100')).data.map(({ type }) => type);
    expect(all).toEqual(all.toSorted());
    const first = await list('?limit=2');
    expect(first.data.map(({ type }) => type)).toEqual(all.slice(0, 2));
    expect(first.pagination).toMatchObject({ total: all.length, has_more: true });
    const byOffset = await list('?limit=2&offset=2');
    const byCursor = await list(`?limit=2&cursor=${first.pagination.next_cursor}`);
    for (const { data, pagination } of [byOffset, byCursor]) {
      expect(data.map(({ type }) => type)).toEqual(all.slice(2, 4));
      expect(pagination.has_more).toBe(all.length > 4);
    }
    const last = await list(`?limit=2&offset=${all.length - 1}`);
    expect(last.data.map(({ type }) => type)).toEqual(all.slice(-1));
    expect(last.pagination.has_more).toBe(false);
  });
});
