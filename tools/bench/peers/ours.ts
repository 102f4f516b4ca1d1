/** Benchmarks this service: one process on SQLite, or several on PostgreSQL and Redis. */
import { readFileSync } from 'node:fs';
import { type ServerProcess, startServer } from '../server-process.ts';
import { type BenchedService, startService } from '../service.ts';
import type { Call, Contender, Running } from './contender.ts';
import { makeDatabase, POSTGRES_DURABLE } from '../servers.ts';
import { THREE_STEPS } from '../three-steps.ts';
import { LIGHT_STEPS } from './work.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

export function onSqlite(): Contender {
  return {
    name: 'Workflow Service, SQLite',
    version,
    durable: 'yes: SQLite, synchronous=FULL',
    ours: true,
    start: async () => {
      const service = await startService();
      return running(service, [service.server], [], () => service.stop());
    },
  };
}

/**
 * Several processes of the service on the same databases. `roles` contains the setting `ROLE` of each process. Clients
 * send their requests to the first process.
 */
export interface Replicas {
  readonly name: string;
  readonly roles: readonly ['all' | 'api', ...('all' | 'worker')[]];
}

export const REPLICAS: readonly Replicas[] = [
  { name: '1 process', roles: ['all'] },
  { name: '2 processes', roles: ['all', 'all'] },
  { name: 'api and 1 worker', roles: ['api', 'worker'] },
  { name: 'api and 2 workers', roles: ['api', 'worker', 'worker'] },
];

export function onPostgres({ name, roles: [first, ...others] }: Replicas): Contender {
  return {
    name: `Workflow Service, PostgreSQL + Redis, ${name}`,
    version,
    durable: POSTGRES_DURABLE,
    ours: true,
    start: async (servers) => {
      const [postgres, redis] = [await servers.postgres(), await servers.redis()];
      const database = await makeDatabase(postgres);
      const service = await startService({
        settings: {
          DATABASE_URL: database.url,
          REDIS_URL: redis.url,
          REDIS_PREFIX: new URL(database.url).pathname.slice(1),
          ROLE: first,
        },
      });
      const more = await Promise.all(
        others.map(async (role) => ({
          role,
          server: await startServer(['dist/src/main.js'], { ...service.environment, ROLE: role }),
        })),
      );
      const answering = more.filter(({ role }) => role === 'all').map(({ server }) => server);
      const working = [
        ...more.filter(({ role }) => role === 'worker').map(({ server }) => server),
        postgres,
        redis,
      ];
      return running(service, [service.server, ...answering], working, async () => {
        await Promise.all(more.map(({ server }) => server.stop()));
        await service.stop();
        await database.drop();
      });
    },
  };
}

/**
 * @param answering processes that serve clients
 * @param working other processes: workers and databases
 */
async function running(
  service: BenchedService,
  answering: readonly ServerProcess[],
  working: readonly { readonly pid: number }[],
  stop: () => Promise<void>,
): Promise<Running> {
  const urls = answering.map((server) => server.url);
  const call = async (name: string, nodes: readonly object[], query: string): Promise<Call> => {
    const { id } = await service.post('/v1/workflows', { name, nodes });
    const path = `/v1/workflows/${id}/executions${query}`;
    return {
      url: urls,
      path,
      headers: service.headers,
      body: (n) => JSON.stringify({ input: { n } }),
      check: (status, body) => {
        if (status !== 201) throw new Error(`${path} returned ${status}: ${body}`);
        const answer = JSON.parse(body) as { readonly status: string };
        if (query !== '' && answer.status !== 'completed')
          throw new Error(`The execution is not completed: ${body}`);
      },
    };
  };
  const light = (needs: (index: number) => readonly string[]): readonly object[] =>
    Array.from({ length: LIGHT_STEPS }, (_, index) => ({
      id: `n${index}`,
      type: 'set',
      needs: needs(index),
      with: { value: `{{ input.n + ${index} }}` },
    }));
  return {
    three: await call('three', THREE_STEPS, '?wait=30'),
    chain: await call(
      'chain',
      light((index) => (index === 0 ? [] : [`n${index - 1}`])),
      '?wait=30',
    ),
    parallel: await call(
      'parallel',
      light(() => []),
      '?wait=30',
    ),
    leave: await call('left', THREE_STEPS, ''),
    completed: async () => {
      const url = `${service.server.url}/v1/executions?status=completed&limit=1`;
      const { pagination } = (await (await fetch(url, { headers: service.headers })).json()) as {
        readonly pagination: { readonly total: number };
      };
      return pagination.total;
    },
    pids: [...answering, ...working].map(({ pid }) => pid),
    stop,
  };
}
