import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { ServiceProcess } from '../support/service-process.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';

/**
 * A function that injects one kind of failure, such as a killed worker, into a cluster under load. Most breakers inject
 * the failure several times.
 * @returns a summary of the injected failures
 */
export type Breaker = (world: World) => Promise<string>;

export interface World {
  readonly cluster: Cluster;
  readonly random: Random;
  /** Returns true after all executions of the load have ended. */
  readonly isOver: () => boolean;
  /** True if the test runs at full length (`CHAOS=long`). */
  readonly isLong: boolean;
}

const COMMAND_LINE = 'dist/src/cli/main.js';

/** Milliseconds between two checks of a condition, such as the end of the load. */
const POLL_MS = 100;

/**
 * Returns true if a breaker must inject its failure again, up to `most` times. With `CHAOS=long`, a breaker
 * always injects `most` failures, because the test starts executions meanwhile. Otherwise, a breaker stops
 * when all executions of the load have ended.
 */
function goesOn(count: number, most: number, { isLong, isOver }: World): boolean {
  return count < most && (isLong || !isOver());
}

async function wait(ms: number, { isLong, isOver }: World): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end && (isLong || !isOver());)
    await pause(POLL_MS);
}

function one<T>(random: Random, list: readonly T[]): T {
  const chosen = list[random.between(0, list.length - 1)];
  if (chosen === undefined) throw new Error('No element can be chosen from an empty list.');
  return chosen;
}

/** Kills random workers with SIGKILL, and restarts each one. In a long test run, it
 * kills a worker every two seconds. */
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

/**
 * Suspends workers with SIGSTOP until their leases expire and another worker takes over their executions. Then resumes
 * the workers with SIGCONT.
 */
export const zombies: Breaker = async (world) => {
  const { cluster, random, isLong } = world;
  let count = 0;
  for (const most = isLong ? 20 : 2; goesOn(count, most, world);) {
    // One worker keeps running, so that this worker can take over the executions of the suspended workers.
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
        'the removal of the stopped workers from the instances',
        async () => (await cluster.query(`SELECT 1 FROM instances WHERE pid IN (${pids})`)).length === 0,
        { limitMs: 120_000, everyMs: POLL_MS },
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

/** Empties Redis five times. Then kills Redis, and restarts it after a pause of 1.5 s (60 s at full length). */
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

/** Restarts PostgreSQL. Immediate (SIGQUIT) and fast (SIGINT) shutdowns alternate. */
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

/** Content of the copies that `repeatMessages` publishes in Redis. */
const COPY = 'copy';

/**
 * Repeats every notification between processes, so that each notification arrives two to five times. The processes
 * notify each other through Redis.
 */
export const repeatMessages: Breaker = async ({ cluster, random, isOver }) => {
  const [listener, sender] = [new Redis(cluster.redis.url), new Redis(cluster.redis.url)];
  let [notices, copies] = [0, 0];
  let last: Promise<unknown> = Promise.resolve();
  listener.on('pmessage', (_pattern: string, channel: string, content: string) => {
    if (content === COPY) return;
    notices += 1;
    for (let more = random.between(1, 4); more > 0; more -= 1) {
      copies += 1;
      last = last.then(() => sender.publish(channel, COPY));
    }
  });
  await listener.psubscribe('*:workflow_*');
  while (!isOver()) await pause(POLL_MS);
  // While the listener disconnects, it may still receive notifications. They must not be copied, because the sender
  // disconnects after the copies that are pending now.
  listener.removeAllListeners('pmessage');
  listener.disconnect();
  await last;
  sender.disconnect();
  if (notices === 0) throw new Error('The processes sent no notification through Redis.');
  return `${notices} notifications sent ${notices + copies} times`;
};

/**
 * Terminates all connections to Redis, and the PostgreSQL connections that carry notifications while Redis is down.
 * Notifications in transit are lost, and so are notifications sent before a process has reconnected.
 */
export const loseMessages: Breaker = async (world) => {
  const { cluster, isLong } = world;
  let cut = 0;
  for (let times = 0; goesOn(times, isLong ? 60 : 8, world); times += 1) {
    const ended = await cluster.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
       AND pid <> pg_backend_pid() AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%' OR query = 'SELECT 1')`,
    );
    cut += ended.length;
    await cluster.withRedis(async (client) => {
      for (const type of ['pubsub', 'normal'])
        cut += Number(await client.call('CLIENT', 'KILL', 'TYPE', type));
    });
    await wait(isLong ? 1_000 : 300, world);
  }
  return `${cut} connections for notifications cut`;
};

/**
 * Delays notifications for 0.7 s, or for 3 s at full length. Pauses Redis and the PostgreSQL connections
 * through which processes send notifications when Redis does not respond.
 */
export const delayMessages: Breaker = async (world) => {
  const { cluster, isLong } = world;
  let stopped = 0;
  for (let times = 0; goesOn(times, isLong ? 30 : 4, world); times += 1) {
    const idle = await cluster.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND state = 'idle' AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%' OR query = 'SELECT 1')`,
    );
    const pids = idle.map((row) => Number(row['pid']));
    const delayMs = isLong ? 3_000 : 700;
    await cluster.withRedis((client) => client.call('CLIENT', 'PAUSE', delayMs));
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await pause(delayMs);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    stopped += pids.length;
    await wait(300, world);
  }
  return `${stopped} connections for notifications stood still`;
};

/**
 * Keeps a write transaction of another program open for 3 s (60 s at full length). Executions must continue meanwhile,
 * although the event feed pauses until the transaction ends.
 */
export const foreignTransaction: Breaker = async ({ cluster, isLong }) => {
  const client = new Client({ connectionString: cluster.postgres.url });
  await client.connect();
  const ended = async (): Promise<number> =>
    Number(
      (await cluster.query('SELECT count(*) AS n FROM executions WHERE finished_at IS NOT NULL'))[0]?.['n'],
    );
  try {
    await client.query('BEGIN; SELECT pg_current_xact_id()');
    const before = await ended();
    await until('executions that end although a transaction is open', async () => (await ended()) > before, {
      limitMs: 30_000,
    });
    await pause(isLong ? 60_000 : 3_000);
    const meanwhile = (await ended()) - before;
    await client.query('ROLLBACK');
    return `${meanwhile} executions ended during a transaction of ${isLong ? 60 : 3} s`;
  } finally {
    await client.end();
  }
};

/** Moves the clocks of random processes forward or back by up to 24 hours. Resets all clocks at the end. */
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

/**
 * Sends SIGTERM to random processes, one at a time. Each process must shut down with exit code 0, and is then started
 * again.
 */
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
  if (wrong.length > 0)
    throw new Error(`Processes of the service ended with exit codes other than 0: ${wrong.join(', ')}.`);
  return `${codes.length} times SIGTERM, each ended with 0`;
};

/**
 * Simulates the rollout of a new version: two processes migrate the schema concurrently, and then processes restart one
 * at a time.
 */
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

/** Kills an API process and starts it again later. Clients of the killed process continue at the other API process. */
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
