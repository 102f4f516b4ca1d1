import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import {
  type PrivateServer,
  privatePostgres,
  privateRedis,
  QUICK_POSTGRES,
  QUICK_REDIS,
} from '../../tools/scripts/private-servers.mjs';
import { ServiceProcess } from '../support/service-process.js';
import { Effects } from './effects.js';

const APIS = 2;
const WORKERS = 3;
const EFFECT_MS = 20;
const START_TRIES = 50;
const SAMPLE_MS = 500;
/** Matches the resident memory of a process, in kB, in the text of `/proc/<pid>/status`. */
const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

type Row = Readonly<Record<string, unknown>>;

/** The PostgreSQL database of a cluster: one server, or a primary and a standby. */
export interface ClusterPostgres {
  /** Value of the setting `DATABASE_URL` of the processes. */
  readonly url: string;
  /** URL of the server that accepts writes. Needed if `url` lists several servers. */
  readonly primaryUrl?: string;
  stop(): Promise<void>;
}

/** Two API processes and three workers of the service, with their own PostgreSQL and Redis servers. */
export class Cluster<P extends ClusterPostgres = PrivateServer> {
  readonly apis: ServiceProcess[] = [];
  readonly workers: ServiceProcess[] = [];
  /** Highest resident memory of any process so far, in bytes. */
  mostMemory = 0;
  readonly folder = mkdtempSync(join(tmpdir(), 'workflow-chaos-'));
  private readonly sampling: NodeJS.Timeout;

  private constructor(
    readonly postgres: P,
    readonly redis: PrivateServer,
    readonly effects: Effects,
  ) {
    this.sampling = setInterval(() => this.sample(), SAMPLE_MS);
  }

  static async start(): Promise<Cluster> {
    return Cluster.on(await privatePostgres(QUICK_POSTGRES));
  }

  /** @param postgres server of the cluster; `stop` of the cluster also stops the server */
  static async on<P extends ClusterPostgres>(postgres: P): Promise<Cluster<P>> {
    const [redis, effects] = await Promise.all([privateRedis(QUICK_REDIS), Effects.start(EFFECT_MS)]);
    const cluster = new Cluster<P>(postgres, redis, effects);
    const first = new ServiceProcess(cluster.environment('api', 0));
    cluster.apis.push(first);
    for (let n = 1; n < APIS; n += 1)
      cluster.apis.push(new ServiceProcess(cluster.environment('api', n), first.token));
    for (let n = 0; n < WORKERS; n += 1)
      cluster.workers.push(new ServiceProcess(cluster.environment('worker', n), first.token));
    await Promise.all(cluster.services.map((service) => service.start()));
    return cluster;
  }

  get services(): readonly ServiceProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** URL that the `http` nodes of executions call. */
  get effectsUrl(): string {
    return `http://${this.effects.address}/`;
  }

  /** Starts a stopped service again. Retries the start up to 50 times, because the database may be unavailable. */
  async restart(service: ServiceProcess): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        return await service.start();
      } catch (error) {
        if (tries === START_TRIES) throw error;
        await pause(200);
      }
  }

  /** Sets the clock of one service to the real time plus `shiftMs`. An earlier shift no longer applies. */
  shiftClock(service: ServiceProcess, shiftMs: number): void {
    writeFileSync(this.clockOf(service), String(shiftMs));
  }

  /** Runs a query. Retries the query up to 50 times, because the database may be unavailable. */
  async query(sql: string): Promise<readonly Row[]> {
    for (let tries = 1; ; tries += 1) {
      const client = new Client({ connectionString: this.postgres.primaryUrl ?? this.postgres.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<Row>(sql)).rows;
      } catch (error) {
        if (tries === START_TRIES) throw error;
        await pause(200);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  async withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.redis.url);
    client.on('error', () => undefined);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  /**
   * Environment variables of one process.
   * @param n index of the process within its role
   */
  environment(role: string, n: number): Readonly<Record<string, string>> {
    return {
      ROLE: role,
      DATABASE_URL: this.postgres.url,
      REDIS_URL: this.redis.url,
      EGRESS_ALLOW: this.effects.address,
      SHUTDOWN_GRACE_SECONDS: '3',
      NODE_OPTIONS: `--import=${resolve('test/chaos/shifted-clock.mjs')}`,
      CLOCK_SHIFT_FILE: join(this.folder, `${role}-${n}`),
    };
  }

  async stop(): Promise<void> {
    clearInterval(this.sampling);
    for (const service of this.services) {
      service.signal('SIGCONT');
      await service.dispose();
    }
    await this.effects.stop();
    await Promise.all([this.redis.stop(), this.postgres.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private clockOf(service: ServiceProcess): string {
    const api = this.apis.indexOf(service);
    return join(this.folder, api < 0 ? `worker-${this.workers.indexOf(service)}` : `api-${api}`);
  }

  private sample(): void {
    for (const { pid } of this.services)
      try {
        const [, kilobytes] = RESIDENT.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        this.mostMemory = Math.max(this.mostMemory, Number(kilobytes ?? 0) * 1024);
      } catch {
        // The process has ended, or the platform has no `/proc`. In both cases, the memory of the process is not
        // sampled.
      }
  }
}

/** Queries that search for violated invariants. After all executions have ended, each query must return no rows. */
const AT_REST: readonly (readonly [string, string])[] = [
  [
    'executions that have not ended',
    `SELECT id, status, status_reason, lease_owner, runnable_at FROM executions WHERE finished_at IS NULL`,
  ],
  ['leases that are still held', `SELECT id, lease_owner FROM executions WHERE lease_owner IS NOT NULL`],
  ['messages that nobody reads', `SELECT execution_id, kind FROM execution_messages`],
  ['places in line', `SELECT execution_id FROM execution_admissions`],
  [
    'children of one parent twice',
    `SELECT parent_id FROM executions WHERE parent_id IS NOT NULL GROUP BY parent_id HAVING count(*) > 1`,
  ],
  [
    'journals with gaps',
    `SELECT execution_id FROM journal GROUP BY execution_id
     HAVING min(first_sequence) <> 1 OR sum(last_sequence - first_sequence + 1) <> max(last_sequence)`,
  ],
  [
    'rows that differ from their journal',
    `SELECT e.id FROM executions e WHERE e.last_sequence <> (SELECT max(last_sequence) FROM journal j WHERE j.execution_id = e.id)`,
  ],
];

/**
 * Checks invariants of the database after all executions have ended.
 * @param acknowledged number of acknowledged executions; the database must contain exactly these
 * @returns one text for each violated invariant
 */
export async function faultsAtRest(
  cluster: Cluster<ClusterPostgres>,
  acknowledged: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [what, sql] of AT_REST) {
    const rows = await cluster.query(sql);
    if (rows.length > 0) faults.push(`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  const [roots] = await cluster.query('SELECT count(*) AS n FROM executions WHERE parent_id IS NULL');
  if (Number(roots?.['n']) !== acknowledged)
    faults.push(`the database has ${String(roots?.['n'])} executions, but ${acknowledged} were acknowledged`);
  for (const service of cluster.services) if (service.hasDied) faults.push('a service ended unexpectedly');
  return faults;
}
