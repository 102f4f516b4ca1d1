import type { Contender } from './contender.ts';
import { startProgram } from './driven.ts';
import { versionOf } from './installed.ts';
import { makeDatabase, POSTGRES_DURABLE } from '../servers.ts';

export function dbos(): Contender {
  return {
    name: 'DBOS',
    version: versionOf('@dbos-inc/dbos-sdk'),
    durable: POSTGRES_DURABLE,
    ours: false,
    start: async (servers) => {
      const postgres = await servers.postgres();
      const database = await makeDatabase(postgres);
      const running = await startProgram(
        'tools/bench/peers/dbos.program.ts',
        { DATABASE_URL: database.url },
        [postgres.pid],
      );
      return {
        ...running,
        stop: async () => {
          await running.stop();
          await database.drop();
        },
      };
    },
  };
}
