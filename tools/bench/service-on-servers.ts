/** Starts the service on PostgreSQL and Redis, as one or several processes, for benchmarks. */
import { resolve } from 'node:path';
import type { PrivateServer } from '../scripts/private-servers.mjs';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeDatabase } from './servers.ts';
import { type BenchedService, startService } from './service.ts';

export interface SharedServers {
  readonly postgres: PrivateServer;
  readonly redis: PrivateServer;
}

export interface SharedService {
  /** The process that responds to requests. */
  readonly api: BenchedService;
  /** Process ids of all processes of the service. */
  readonly pids: readonly number[];
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/**
 * @param folder folder of the build to start
 * @param workers number of processes with `ROLE=worker`; if 0, the only process has `ROLE=all`
 * @param more settings of all processes, in addition to those of the servers
 */
export async function startOnServers(
  folder: string,
  workers: number,
  { postgres, redis }: SharedServers,
  more: Readonly<Record<string, string>> = {},
): Promise<SharedService> {
  const database = await makeDatabase(postgres);
  const prefix = new URL(database.url).pathname.slice(1);
  const settings = {
    ...more,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    REDIS_PREFIX: prefix,
    ROLE: workers === 0 ? 'all' : 'api',
  };
  const started: Pick<ServerProcess, 'stop'>[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((process) => process.stop()));
    await database.drop();
  };
  try {
    const api = await startService({ folder, settings });
    started.push(api);
    const others: ServerProcess[] = [];
    for (let index = 0; index < workers; index += 1) {
      const environment = { ...api.environment, ROLE: 'worker' };
      const worker = await startServer([resolve(folder, 'dist/src/main.js')], environment);
      started.push(worker);
      others.push(worker);
    }
    return { api, pids: [api.server, ...others].map(({ pid }) => pid), databaseUrl: database.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
