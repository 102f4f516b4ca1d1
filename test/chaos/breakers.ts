import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { ServiceProcess } from '../support/service-process.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';

/** Breaks something, again and again, until it is told to stop. @returns what it did, in words */
export type Breaker = (world: World) => Promise<string>;

export interface World {
  readonly cluster: Cluster;
  readonly random: Random;
  /** Whether all that was started has ended. */
  readonly isOver: () => boolean;
  /** Whether it goes on for long. */
  readonly isLong: boolean;
}

const COMMAND_LINE = 'dist/src/cli/main.js';

/** Between looks at whether it is over. */
const LOOK_MS = 100;

/** At length so many times, however soon what was started has ended: more is started meanwhile. */
function goesOn(count: number, most: number, { isLong, isOver }: World): boolean {
  return count < most && (isLong || !isOver());
}

async function wait(ms: number, { isLong, isOver }: World): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && (isLong || !isOver());)
    await pause(LOOK_MS);
}

function one<T>(random: Random, list: readonly T[]): T {
  const chosen = list[random.between(0, list.length - 1)];
  if (chosen === undefined) throw new Error('There is none.');
  return chosen;
}

/** SIGKILL to any worker, every two seconds. */
export const killWorkers: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let kills = 0;
  for (const most = isLong ? 20 : 2; goesOn(kills, most, world);) {
    await wait(isLong ? 2_000 : 800, world);
    const worker = one(random, cluster.workers);
    await worker.kill();
    kills += 1;
    await cluster.restart(worker);
  }
  return `${kills} kills`;
};

/** SIGSTOP for longer than a lease lives, then SIGCONT: it comes back and finds its work taken. */
export const zombies: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let count = 0;
  for (const most = isLong ? 20 : 2; goesOn(count, most, world);) {
    // One stays to take over.
    const spared = one(random, cluster.workers);
    const stopped = cluster.workers.filter((worker) => worker !== spared).slice(0, most - count);
    for (const worker of stopped) worker.signal('SIGSTOP');
    try {
      const pids = stopped.map(({ pid }) => pid).join(', ');
      if (!isLong)
        await cluster.query(
          `UPDATE instances SET last_seen_at = now() - interval '1 minute' WHERE pid IN (${pids})`,
        );
      await until(
        'their burial',
        async () => (await cluster.query(`SELECT 1 FROM instances WHERE pid IN (${pids})`)).length === 0,
        { limitMs: 120_000, everyMs: LOOK_MS },
      );
      await pause(isLong ? 2_000 : 300);
    } finally {
      for (const worker of stopped) worker.signal('SIGCONT');
    }
    count += stopped.length;
    await pause(isLong ? 1_000 : 200);
  }
  return `${count} zombies`;
};

/** Redis is emptied, then killed and away. */
export const loseRedis: Breaker = async ({ cluster, isLong }) => {
  for (let n = 0; n < 5; n += 1) {
    await cluster.withRedis((client) => client.flushall());
    await pause(isLong ? 1_000 : 100);
  }
  await cluster.redis.end('SIGKILL');
  await pause(isLong ? 60_000 : 1_500);
  await cluster.redis.begin();
  return `5 times emptied, killed once and away for ${isLong ? 60 : 1.5} s`;
};

/** PostgreSQL shut down in order and not, and started again. */
export const restartPostgres: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let restarts = 0;
  for (const most = isLong ? 12 : 1; goesOn(restarts, most, world);) {
    await wait(isLong ? random.between(5_000, 10_000) : 1_000, world);
    await cluster.postgres.end(restarts % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
    await cluster.postgres.begin();
    restarts += 1;
  }
  return `${restarts} restarts`;
};

/** Every notification comes two to five times. */
export const repeatMessages: Breaker = async ({ cluster, random, isOver }) => {
  const client = new Client({ connectionString: cluster.postgres.url });
  await client.connect();
  const [{ pid }] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows as [
    { pid: number },
  ];
  let [notices, copies] = [0, 0];
  let last: Promise<unknown> = Promise.resolve();
  client.on('notification', ({ channel, payload, processId }) => {
    if (processId === pid) return;
    notices += 1;
    for (let more = random.between(1, 4); more > 0; more -= 1) {
      copies += 1;
      // Each in a transaction of its own: equal ones of one are told once.
      last = last.then(() => client.query('SELECT pg_notify($1, $2)', [channel, payload]));
    }
  });
  for (const topic of ['workflow_positions', 'workflow_inboxes', 'workflow_cancellations', 'workflow_work'])
    await client.query(`LISTEN ${topic}`);
  while (!isOver()) await pause(LOOK_MS);
  // What comes now is not passed on: the connection ends with what was.
  client.removeAllListeners('notification');
  await last;
  await client.end();
  return `${notices} notifications sent ${notices + copies} times`;
};

/** The clocks of services jump, forth and back, by up to a day. */
export const shiftClocks: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let jumps = 0;
  const [second, hour] = [1_000, 3_600_000];
  for (const most = isLong ? 60 : Infinity; goesOn(jumps, most, world);) {
    const service = one(random, cluster.services);
    cluster.shiftClock(
      service,
      random.of([-24 * hour, -hour, -30 * second, 0, 30 * second, hour, 24 * hour]),
    );
    jumps += 1;
    await wait(isLong ? 1_000 : 300, world);
  }
  for (const service of cluster.services) cluster.shiftClock(service, 0);
  return `${jumps} jumps`;
};

/** SIGTERM to any of them, which ends in order and is started again. */
export const terminate: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  const codes: (number | null)[] = [];
  for (const most = isLong ? 30 : 1; goesOn(codes.length, most, world);) {
    await wait(isLong ? 1_000 : 300, world);
    const service = one(random, cluster.services);
    codes.push(await service.terminate());
    await cluster.restart(service);
  }
  const wrong = codes.filter((code) => code !== 0);
  if (wrong.length > 0) throw new Error(`They ended with ${wrong.join(', ')}.`);
  return `${codes.length} times SIGTERM, each ended with 0`;
};

/** A new version is rolled out: the schema is brought up to date by several at once, then each is replaced. */
export const rollOut: Breaker = async ({ cluster, isLong }) => {
  const rounds = isLong ? 4 : 1;
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      [0, 1].map(() =>
        new SpawnedProgram(COMMAND_LINE, cluster.folder, cluster.environment('all', 0), [
          'migrate',
          'up',
        ]).prints(/up to date/),
      ),
    );
    for (const service of isLong ? cluster.services : cluster.services.slice(1, 3)) {
      await service.terminate();
      await cluster.restart(service);
    }
  }
  return `${rounds} roll-outs`;
};

/** An API process is killed; its clients go on at the other one. */
export const killApis: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let kills = 0;
  for (const most = isLong ? 10 : 1; goesOn(kills, most, world);) {
    await wait(isLong ? 2_000 : 500, world);
    const api: ServiceProcess = one(random, cluster.apis);
    await api.kill();
    await pause(isLong ? 1_000 : 300);
    await cluster.restart(api);
    kills += 1;
  }
  return `${kills} kills`;
};
