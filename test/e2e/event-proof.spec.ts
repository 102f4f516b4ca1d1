import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventStream } from '../../clients/typescript/src/event-stream.ts';
import { prove } from '../../tools/proof-kit/proof.ts';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ServiceProcess } from '../support/service-process.js';

const EVENTS = 10_000;
const CUTS = 100;

describe.each(await databaseKinds())('the event stream on $name', ({ create }) => {
  let service: ServiceProcess;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await create();
    service = new ServiceProcess({ DATABASE_URL: databaseUrl(database.settings) });
    await service.start();
  });

  afterAll(async () => {
    await service.dispose();
    await database.drop();
  });

  it('a client receives every event, even if its connections are cut many times and the server is killed', async () => {
    const seed = Date.now() % 1_000_000;
    const result = await prove({
      service: { url: () => service.url, key: service.token },
      client: (url, key, signal) => eventStream({ baseUrl: url, token: key, signal, after: '0' }),
      events: EVENTS,
      cuts: CUTS,
      seed,
      restart: async () => {
        await service.kill();
        await service.start();
      },
      log: () => undefined,
    });
    expect(result.faults, `seed ${seed}`).toEqual([]);
    expect(result.cuts).toBeGreaterThan(CUTS / 2);
    expect(result.received).toBeGreaterThanOrEqual(EVENTS);
  });
});
