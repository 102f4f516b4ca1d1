import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { Effects } from './effects.js';
import { Follower } from './follower.js';
import { Load, type LoadShape, type Tenant } from './load.js';
import { Random } from './random.js';
import { verdictOf } from './verdict.js';

/** `CHAOS=long npm test -- test/chaos/sigkill.spec.ts` runs the test at full length. */
const LONG = process.env['CHAOS'] === 'long';
const KILLS = LONG ? 30 : 3;
const KILL_EVERY_MS = LONG ? 2_000 : 1_500;
const SHAPE: LoadShape = LONG
  ? { executions: 500, napSeconds: [0.3, 3, 6, 12], afterAll: true }
  : { executions: 60, napSeconds: [0.1, 0.3, 1], afterAll: false };
const EFFECT_MS = 50;
const random = Random.fromEnvironment();

describe('a service that is killed repeatedly', () => {
  let effects: Effects;
  let service: ServiceProcess;
  let load: Load;
  let tenant: Tenant;

  beforeAll(async () => {
    process.stdout.write(`\nCHAOS_SEED=${random.seed}\n`);
    effects = await Effects.start(EFFECT_MS);
    service = new ServiceProcess({ EGRESS_ALLOW: effects.address });
    await service.start();
    load = new Load([service], service.token, `http://${effects.address}/`, random);
    tenant = await load.newTenant('kills');
  });

  afterAll(async () => {
    await service?.dispose();
    await effects?.stop();
  });

  it(
    'a service that is killed repeatedly loses no acknowledged execution and commits no result twice',
    { timeout: 900_000 },
    async () => {
      const follower = await Follower.open([service], tenant, 0);
      let kills = 0;
      const killer = (async () => {
        for (; kills < KILLS; kills += 1) {
          await pause(KILL_EVERY_MS);
          await service.kill();
          await service.start();
        }
      })();
      // Starts executions until the last kill, so that every kill interrupts executions. `load.run` returns only
      // executions whose start was acknowledged with status 201.
      const started = [...(await load.run([tenant], SHAPE))];
      while (kills < KILLS)
        started.push(...(await load.run([tenant], { ...SHAPE, executions: SHAPE.executions / 10 })));
      await killer;
      expect(await verdictOf({ load, started, effects, followers: [follower] })).toEqual([]);
      follower.close();
      expect(service.hasDied).toBe(false);
      process.stdout.write(
        `${started.length} executions, ${kills} kills, ${effects.repeated} repeated effects, ` +
          `${load.repeated} repeated requests, ${follower.resumed} resumptions of the socket\n`,
      );
    },
  );
});
