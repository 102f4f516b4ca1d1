import { hasRedis } from '../../tools/scripts/private-servers.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Breaker,
  delayMessages,
  foreignTransaction,
  killApis,
  killWorkers,
  loseMessages,
  loseRedis,
  repeatMessages,
  restartPostgres,
  rollOut,
  shiftClocks,
  terminate,
  zombies,
} from './breakers.js';
import { Cluster, faultsAtRest } from './cluster.js';
import { Follower } from './follower.js';
import { type Acknowledged, inParallel, Load, type Tenant } from './load.js';
import { Random } from './random.js';
import { faultsOfCancelled, verdictOf } from './verdict.js';
import { until } from '../support/until.js';

/**
 * `CHAOS=long npm run test:chaos` runs these tests at full length. `CHAOS_SEED` repeats the random choices of an
 * earlier run. `CHAOS_EXECUTIONS` limits the number of executions in progress on slow or shared machines.
 */
const LONG = process.env['CHAOS'] === 'long';
const MOST_EXECUTIONS = Number(process.env['CHAOS_EXECUTIONS'] ?? Infinity);
const LIMIT = { timeout: LONG ? 1_800_000 : 180_000 };
const random = Random.fromEnvironment();
/** Number of executions in the first wave if the tests do not run at full length. */
const SHORT_EXECUTIONS = 12;
/** Number of executions in each further wave. Further waves start until all failures have been injected. */
const WAVE = LONG ? 24 : 4;
/** Maximum resident memory of a process in bytes: far above normal use, but low enough to detect unbounded growth. */
const MOST_MEMORY = 700 * 1024 * 1024;
/** Maximum number of keys in Redis after a test. The number must not grow with the number of queued executions. */
const MOST_REDIS_KEYS = 60;

const SHORT_NAPS = [0, 0.1, 0.3] as const;
/**
 * Durations of `delay` nodes in seconds. A delay of more than five seconds suspends the execution: the service keeps
 * the execution only in the database.
 */
const LONG_NAPS = [0, 0.5, 3, 6, 12] as const;
/** Time limit for the executions to end. An execution that has not ended within this limit is reported as lost. */
const ENDING = { limitMs: LONG ? 900_000 : 60_000, everyMs: 100 };

/**
 * The load under which one kind of failure is injected. `executions` is the number of executions in the first wave if
 * `CHAOS=long` is set. `takesApis` means that the failure stops API processes, so a request may get no response.
 */
interface Scenario {
  readonly executions: number;
  readonly takesApis?: true;
  /** Every `mixedEvery`-th execution has ten nodes. All other executions have two nodes. Default: 1. */
  readonly mixedEvery?: number;
}

/**
 * The failures that the tests inject. Each entry has a name that completes the test name, the function that injects the
 * failure, and the load.
 */
const SCENARIOS: readonly (readonly [string, Breaker, Scenario])[] = [
  ['workers are killed', killWorkers, { executions: 1_000 }],
  ['workers are suspended past their leases and resumed', zombies, { executions: 300 }],
  ['Redis is emptied, killed and unavailable', loseRedis, { executions: 300 }],
  ['PostgreSQL is restarted', restartPostgres, { executions: 5_000, mixedEvery: 10 }],
  ['every notification arrives several times', repeatMessages, { executions: 300 }],
  ['notifications are lost', loseMessages, { executions: 300 }],
  ['notifications are late', delayMessages, { executions: 300 }],
  ['a transaction of another program stays open', foreignTransaction, { executions: 300 }],
  ['clocks jump', shiftClocks, { executions: 300 }],
  ['processes receive SIGTERM', terminate, { executions: 300, takesApis: true }],
  ['a new version is rolled out', rollOut, { executions: 300, takesApis: true }],
  [
    'an API process is lost and its sockets resume at the other',
    killApis,
    { executions: 300, takesApis: true },
  ],
];

describe.runIf(hasRedis())('two API processes and three workers under load', LIMIT, () => {
  let cluster: Cluster;
  let load: Load;
  let tenants: readonly [Tenant, Tenant];

  beforeAll(async () => {
    process.stdout.write(`\nCHAOS_SEED=${random.seed}\n`);
    cluster = await Cluster.start();
    const token = cluster.apis[0]?.token ?? '';
    load = new Load(cluster.apis, token, cluster.effectsUrl, random);
    tenants = [await load.newTenant('one'), await load.newTenant('another')];
  });

  afterAll(() => cluster?.stop());

  /** Starts executions in waves until all failures have been injected, and waits until these executions have ended. */
  const workUnder = async (
    breaker: Breaker,
    { executions, mixedEvery = 1 }: Scenario,
    followers: readonly Follower[],
  ): Promise<{ readonly started: readonly Acknowledged[]; readonly said: string }> => {
    let [isOver, isBroken] = [false, false];
    const world = { cluster, random, isLong: LONG, isOver: () => isOver };
    const breaking = breaker(world).finally(() => (isBroken = true));
    // Avoids an unhandled rejection while the load runs. If the injection fails, `await breaking` below rejects with
    // the same error.
    breaking.catch(() => undefined);
    const started: Acknowledged[] = [];
    const first = Math.min(LONG ? executions : SHORT_EXECUTIONS, MOST_EXECUTIONS);
    for (let count = first; !isOver || !isBroken; count = WAVE) {
      const shape = { executions: count, napSeconds: LONG ? LONG_NAPS : SHORT_NAPS, afterAll: LONG };
      started.push(...(await load.run(tenants, { ...shape, mixedEvery: LONG ? mixedEvery : 1 })));
      await until('the end of all executions', () => hasEnded(followers, started), ENDING).catch(
        () => undefined,
      );
      isOver = true;
    }
    return { started, said: await breaking };
  };

  it.each(SCENARIOS)(
    'the service loses no execution and commits no result twice during this failure: %s',
    async (_, breaker, scenario) => {
      const { effects } = cluster;
      const [begun, calls, requests] = [performance.now(), effects.repeated, load.repeated];
      const followers = await Promise.all(
        [0, 1].flatMap((at) => tenants.map((tenant) => Follower.open(cluster.apis, tenant, at))),
      );
      try {
        const { started, said } = await workUnder(breaker, scenario, followers);
        const faults = await verdictOf({ load, started, effects, followers });
        expect([...faults, ...(await faultsAtRest(cluster, load.acknowledged.length))]).toEqual([]);
        const unanswered = load.unanswered.splice(0);
        if (scenario.takesApis !== true) expect(unanswered).toEqual([]);
        expect(cluster.mostMemory).toBeLessThan(MOST_MEMORY);
        const keys = await cluster.withRedis((client) => client.dbsize());
        expect(keys).toBeLessThan(MOST_REDIS_KEYS);
        say(begun, [
          `${started.length} executions, ${said}`,
          `${effects.repeated - calls} of ${effects.calls.size} effects came again`,
          `${load.repeated - requests} requests were repeated`,
          `sockets resumed ${sum(followers.map(({ resumed }) => resumed))} times over ${sum(followers.map(({ events }) => events))} events`,
          `most memory ${Math.round(cluster.mostMemory / 2 ** 20)} MiB, ${keys} keys in Redis`,
        ]);
      } finally {
        for (const follower of followers) follower.close();
      }
    },
  );

  it('each queued execution ends exactly once although processes start and cancel executions concurrently', async () => {
    const [begun, executions] = [performance.now(), Math.min(LONG ? 1_000 : 40, MOST_EXECUTIONS)];
    const [tenant] = tenants;
    const nodes = [{ id: 'call', type: 'http', with: { method: 'POST', url: cluster.effectsUrl } }];
    const config = { max_running: 10 };
    const { id } = await load.make('/v1/workflows', { name: 'in line', config, nodes }, tenant.key);
    const serial = await load.make('/v1/sessions', { concurrency: 'serial' }, tenant.key);
    const started: Acknowledged[] = [];
    await inParallel(executions, async (index) => {
      const body = index % 4 === 0 ? { session_id: String(serial['id']) } : {};
      const one = await load.start(tenant, String(id), body);
      started.push(one);
      if (random.next() < 0.2) await load.cancel(one);
    });
    const left = started.filter(() => random.next() < 0.5);
    await inParallel(left.length, async (index) => {
      const one = left[index];
      if (one !== undefined) await load.cancel(one);
    });
    expect(await faultsOfCancelled(load, started)).toEqual([]);
    expect(await faultsAtRest(cluster, load.acknowledged.length)).toEqual([]);
    const cancelled = await cluster.query("SELECT 1 FROM executions WHERE status = 'cancelled'");
    say(begun, [`${executions} executions in line`, `${cancelled.length} cancelled`]);
  });
});

function hasEnded(followers: readonly Follower[], started: readonly Acknowledged[]): boolean {
  return started.every(({ id, tenant }) =>
    followers.some((follower) => follower.tenant === tenant && follower.ended.has(id)),
  );
}

function say(begun: number, figures: readonly string[]): void {
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  process.stdout.write(`${figures.join('; ')}; in ${seconds} s\n`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
