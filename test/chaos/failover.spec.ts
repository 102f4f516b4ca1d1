import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasRedis, installedPostgres } from '../../tools/scripts/private-servers.mjs';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';
import { Cluster, faultsAtRest } from './cluster.js';
import { Follower } from './follower.js';
import { type Acknowledged, Load, type Tenant } from './load.js';
import { Random } from './random.js';
import { verdictOf } from './verdict.js';

/** `CHAOS=long npm run test:chaos` runs these tests at full length. */
const LONG = process.env['CHAOS'] === 'long';
const LIMIT = { timeout: LONG ? 1_800_000 : 240_000 };
const random = Random.fromEnvironment();
/**
 * Number of executions in the first wave and in each further wave. The test kills the primary soon after the first wave
 * begins.
 */
const [FIRST, WAVE] = LONG ? [600, 60] : [12, 6];
const SHAPE = { napSeconds: LONG ? ([0, 0.5, 3, 6] as const) : ([0, 0.1, 0.3] as const), afterAll: false };
const ENDING = { limitMs: LONG ? 600_000 : 90_000, everyMs: 100 };

let postgres: ReplicatedPostgres;
let cluster: Cluster<ReplicatedPostgres>;
let load: Load;
let tenants: readonly [Tenant, Tenant];

const open = async (isSynchronous: boolean): Promise<void> => {
  postgres = await ReplicatedPostgres.start({ isSynchronous });
  cluster = await Cluster.on(postgres);
  load = new Load(cluster.apis, cluster.apis[0]?.token ?? '', cluster.effectsUrl, random);
  tenants = [await load.newTenant('one'), await load.newTenant('another')];
};

describe.runIf(hasRedis() && installedPostgres() !== undefined)(
  'two API processes and three workers on a primary and a standby, if `pg_basebackup` is installed',
  LIMIT,
  () => {
    afterEach(async () => {
      await cluster?.stop();
    });

    describe('with a synchronous standby', () => {
      beforeEach(() => open(true));

      it('each execution completes once and event feeds miss no event although the PostgreSQL primary is killed under load', async () => {
        const followers = await Promise.all(
          [0, 1].flatMap((at) => tenants.map((tenant) => Follower.open(cluster.apis, tenant, at))),
        );
        try {
          const started: Acknowledged[] = [];
          let isPromoted = false;
          const failover = failOver().finally(() => (isPromoted = true));
          // Avoids an unhandled rejection while the load runs. If the failover fails, `await failover` below rejects
          // with the same error.
          failover.catch(() => undefined);
          for (let count = FIRST; !isPromoted || count === FIRST; count = WAVE)
            started.push(...(await load.run(tenants, { ...SHAPE, executions: count })));
          const downMs = await failover;
          started.push(...(await load.run(tenants, { ...SHAPE, executions: WAVE })));
          await until(
            'the end of all executions',
            () => started.every(({ id }) => followers.some(({ ended }) => ended.has(id))),
            ENDING,
          ).catch(() => undefined);
          const faults = await verdictOf({ load, started, effects: cluster.effects, followers });
          expect([...faults, ...(await faultsAtRest(cluster, load.acknowledged.length))]).toEqual([]);
          expect(load.unanswered).toEqual([]);
          process.stdout.write(
            `${started.length} executions; without a primary for ${Math.round(downMs)} ms; ${load.repeated} requests repeated\n`,
          );
        } finally {
          for (const follower of followers) follower.close();
        }
      });
    });

    describe('with an asynchronous standby that lags behind', () => {
      beforeEach(() => open(false));

      it('the command `verify --seen` reports each execution that clients saw but the promoted standby does not contain', async () => {
        const [tenant] = tenants;
        const kept = await load.run(tenants, { ...SHAPE, executions: FIRST });
        await until('the end of all executions', () => allEnded(kept), ENDING);
        await postgres.stopStandby();
        const lost = await load.run([tenant], { ...SHAPE, executions: WAVE });
        await until('the end of all executions', () => allEnded(lost), ENDING);
        const seen = [...kept, ...lost].map(({ id }) => JSON.stringify({ execution_id: id, sequence: 1 }));
        const file = join(cluster.folder, 'seen.jsonl');
        writeFileSync(file, `${seen.join('\n')}\n`);

        await postgres.killPrimary();
        await postgres.startStandby();
        await postgres.promote();
        const after = await load.run([tenant], { ...SHAPE, executions: WAVE });
        await until('the end of all executions', () => allEnded(after), ENDING);

        const program = new SpawnedProgram(
          'dist/src/cli/main.js',
          cluster.folder,
          cluster.environment('all', 0),
          ['verify', '--seen', file],
        );
        expect((await program.ended).code).toBe(1);
        expect(lost.filter(({ id }) => !program.err.includes(`${id}: lost`))).toEqual([]);
        expect(kept.filter(({ id }) => program.err.includes(id))).toEqual([]);
      });
    });
  },
);

/**
 * Kills the primary after the first executions have begun, then promotes the standby.
 * @returns milliseconds between the kill and the end of the promotion
 */
async function failOver(): Promise<number> {
  await until('the first effect of an execution', () => cluster.effects.calls.size > 0);
  await pause(random.between(0, 1_500));
  const killed = performance.now();
  await postgres.killPrimary();
  await pause(random.between(0, 1_000));
  await postgres.promote();
  return performance.now() - killed;
}

async function allEnded(executions: readonly Acknowledged[]): Promise<boolean> {
  const statuses = await Promise.all(
    executions.map(({ id, tenant }) =>
      load.read<{ readonly status: string }>(`/v1/executions/${id}`, tenant.key),
    ),
  );
  return statuses.every(({ status }) => status === 'completed');
}
