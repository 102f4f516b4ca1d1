import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PrivateServer, privatePostgres, QUICK_POSTGRES } from '../../tools/scripts/private-servers.mjs';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
/** Value of DATABASE_TIMEOUT_SECONDS. During a request, each SQL statement has a timeout of a third of this value. */
const TIMEOUT_SECONDS = 3;
/** Maximum duration of a request in milliseconds. A slower response fails the test. */
const LIMIT_MS = 2 * TIMEOUT_SECONDS * 1_000;
const ENVIRONMENT = { DATABASE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS), DATABASE_POOL_SIZE: '4' };

/** A running service, with methods that send test requests to the service. */
class World {
  private constructor(
    readonly service: TestService,
    private readonly workflowId: string,
  ) {}

  static async start(url: string): Promise<World> {
    const service = await TestService.start({
      database: { dialect: 'postgres', url },
      environment: ENVIRONMENT,
    });
    const { body } = await service.post('/v1/workflows', {
      name: 'test',
      nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
    });
    const world = new World(service, body.id);
    await world.recovers();
    return world;
  }

  /** Sends three reads and two writes concurrently, and returns their HTTP statuses. */
  async statuses(): Promise<readonly number[]> {
    const requests: readonly [method: string, path: string, body?: unknown][] = [
      ['GET', `/v1/workflows/${this.workflowId}`],
      ['GET', '/v1/workflows?limit=2'],
      ['GET', '/v1/executions?limit=2'],
      ['POST', `/v1/workflows/${this.workflowId}/executions`, {}],
      ['POST', '/v1/workflows', { name: 'another' }],
    ];
    return Promise.all(requests.map(([method, path, body]) => this.status(method, path, body)));
  }

  all(read: number, written: number): readonly number[] {
    return [read, read, read, written, written];
  }

  async readiness(): Promise<number> {
    return this.status('GET', '/health/ready');
  }

  /** Waits until the service has recovered: the readiness probe and all test requests succeed. */
  async recovers(): Promise<void> {
    await until('a passing readiness probe', async () => (await this.readiness()) === 200);
    await until('successful responses', async () => (await this.statuses()).every((status) => status < 300));
  }

  private async status(method: string, path: string, body?: unknown): Promise<number> {
    const response = await fetch(this.service.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.service.key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 500 && !text.includes('"unavailable_error"')) throw new Error(text);
    return response.status;
  }
}

describe.runIf(postgres !== undefined)('an unresponsive PostgreSQL', () => {
  let database: TestDatabase;
  let wire: Wire;
  let world: World;

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    wire = await Wire.to(database.settings);
    world = await World.start(wire.url);
  });

  afterAll(async () => {
    await world?.service.stop();
    await wire?.close();
    await database?.drop();
  });

  it('the service responds 503 while the database does not respond, and recovers afterwards', async () => {
    wire.deafAfter('');
    expect(await world.statuses()).toEqual(world.all(503, 503));
    expect(await world.readiness()).toBe(503);
    // The service must still respond after the first requests timed out.
    expect(await world.statuses()).toEqual(world.all(503, 503));
    wire.mend();
    await world.recovers();
  });

  /** Runs `work` while another database connection locks the tables exclusively. Then waits until the service recovers. */
  async function whileLocked(tables: string, work: () => Promise<void>): Promise<void> {
    const other = new Client({ connectionString: databaseUrl(database.settings) });
    await other.connect();
    await other.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
    await work().finally(() => other.end());
    await world.recovers();
  }

  it('a request that uses a locked database table gets 503 until the lock ends', async () => {
    await whileLocked('workflows, executions', async () => {
      expect(await world.statuses()).toEqual(world.all(503, 503));
      expect(await world.readiness()).toBe(503);
      expect(await world.statuses()).toEqual(world.all(503, 503));
    });
  });

  it('a lock on one database table does not block requests that use other tables', async () => {
    await whileLocked('sessions', async () => {
      const { service } = world;
      const [sessions, workflows] = await Promise.all([
        service.get('/v1/sessions'),
        service.get('/v1/workflows'),
      ]);
      expect([sessions.status, workflows.status]).toEqual([503, 200]);
    });
  });
});

describe('PostgreSQL with suspended processes', () => {
  let server: PrivateServer;
  let world: World;

  beforeAll(async () => {
    server = await privatePostgres(QUICK_POSTGRES);
    world = await World.start(server.url);
  });

  afterAll(async () => {
    signalAll('SIGCONT');
    await world?.service.stop();
    await server?.stop();
  });

  function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of [server.pid, ...childrenOf(server.pid)]) process.kill(pid, signal);
  }

  it('the service responds 503 while the PostgreSQL processes are suspended, and recovers afterwards', async () => {
    signalAll('SIGSTOP');
    expect(await world.statuses()).toEqual(world.all(503, 503));
    expect(await world.readiness()).toBe(503);
    expect(await world.statuses()).toEqual(world.all(503, 503));
    signalAll('SIGCONT');
    await world.recovers();
  });
});

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // The process ended after the list of processes was read, so its parent is unknown.
    return undefined;
  }
}
