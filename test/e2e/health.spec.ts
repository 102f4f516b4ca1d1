import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { afterEach, expect, it } from 'vitest';
import { HealthModule, QueueProbe } from '../../src/health/index.js';
import type { HealthOptions } from '../../src/health/health.module.js';
import { Readiness } from '../../src/health/readiness.js';
import { ConfigModule, readSettings } from '../../src/settings/index.js';
import { configureHttp, HTTP_PROVIDERS, HttpAdapter } from '../../src/http/index.js';
import { DatabaseModule } from '../../src/storage/index.js';
import { type DatabaseKind, databaseKinds } from '../support/database.js';
import { TestService } from '../support/service.js';

const kinds = await databaseKinds();
const [sqlite] = kinds as readonly [DatabaseKind];

const started: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop();
});

interface Probes {
  readonly url: string;
  readonly app: NestExpressApplication;
}

/** Starts an application that has only the health probes and an empty database. */
async function probes(kind: DatabaseKind, options: HealthOptions = {}): Promise<Probes> {
  const { settings: database, drop } = await kind.createEmpty();
  started.push(drop);
  const url = database.dialect === 'sqlite' ? `sqlite://${database.path}` : database.url;
  const settings = readSettings({ DATABASE_URL: url, NODE_ENV: 'test' });
  const testing = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(settings),
      DatabaseModule.forRoot({ entities: [], migrations: [] }),
      HealthModule.forRoot(options),
    ],
    providers: [...HTTP_PROVIDERS, RestOfShutdown],
  }).compile();
  const app = testing.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
    logger: false,
    bodyParser: false,
  });
  configureHttp(app, settings);
  await app.listen(0, '127.0.0.1');
  started.push(() => app.close());
  return { app, url: (await app.getUrl()) + '/health' };
}

async function ask(
  url: string,
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Simulates work that the service does during shutdown. Each test assigns this work to the field `work`. */
@Injectable()
class RestOfShutdown implements BeforeApplicationShutdown {
  work: () => Promise<void> = async () => undefined;

  beforeApplicationShutdown(): Promise<void> {
    return this.work();
  }
}

class SilentQueue extends QueueProbe {
  async check(): Promise<void> {
    throw new Error('redis://user:password@10.0.0.7 is away');
  }
}

it('the liveness and readiness probes respond 200 without an API key while the service is ready', async () => {
  const service = await TestService.start();
  started.push(() => service.stop());
  const live = await service.get('/health/live', { key: null });
  expect([live.status, live.body, live.headers.get('cache-control')]).toEqual([
    200,
    { status: 'ok' },
    'no-store',
  ]);
  const ready = await service.get('/health/ready', { key: null });
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'ok', checks: { database: 'up', queue: 'up' } },
  ]);
  expect(ready.headers.get('cache-control')).toBe('no-store');
  expect((await service.request('HEAD', '/health/ready', { key: null })).status).toBe(200);
  expect((await service.get('/health/ready?deep=true', { key: null })).status).toBe(400);
  expect((await service.get('/health', { key: null })).status).toBe(401);
});

it.each(kinds)(
  'the readiness probe responds 503 and the liveness probe 200 while the $name database is unavailable',
  async (kind) => {
    const { app, url } = await probes(kind);
    expect((await ask(`${url}/ready`)).status).toBe(200);
    await app.get(DataSource).destroy();
    const { status, headers, body } = await ask(`${url}/ready`);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body).toEqual({
      error: {
        type: 'unavailable_error',
        code: 'not_ready',
        message: expect.any(String),
        details: { checks: { database: 'down', queue: 'up' } },
        retry_after: 1,
        request_id: headers.get('x-request-id'),
      },
    });
    expect((await ask(`${url}/live`)).status).toBe(200);
  },
);

it('the readiness probe responds 503 while the queue of the service is unavailable, without details of the error', async () => {
  const { url } = await probes(sqlite, { queue: SilentQueue });
  const { status, body } = await ask(`${url}/ready`);
  expect([status, body]).toMatchObject([
    503,
    { error: { details: { checks: { database: 'up', queue: 'down' } } } },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/redis|password/);
});

it('at the start of a shutdown, the readiness probe responds 503 and the liveness probe still responds 200', async () => {
  const { app, url } = await probes(sqlite);
  const answers: unknown[] = [];
  app.get(RestOfShutdown).work = async () =>
    void answers.push(await ask(`${url}/ready`), await ask(`${url}/live`));
  await app.close();
  expect(answers).toMatchObject([
    { status: 503, body: { error: { type: 'unavailable_error', code: 'shutting_down' } } },
    { status: 200 },
  ]);
});

it('the readiness probe responds 503 after the process is marked as shutting down', async () => {
  const { app, url } = await probes(sqlite);
  app.get(Readiness).leave();
  expect((await ask(`${url}/ready`)).status).toBe(503);
});
