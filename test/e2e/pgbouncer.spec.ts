import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { hasPgBouncer, PgBouncer, type PgBouncerOptions } from '../support/pgbouncer.js';
import { ServiceProcess } from '../support/service-process.js';
import { SocketClient } from '../support/socket-client.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';

const [postgres] = (await databaseKinds()).filter(({ name }) => name === 'postgres');
const EXECUTIONS = 30;
const SESSION_PARAMETERS = ['statement_timeout', 'idle_in_transaction_session_timeout', 'options'];

interface Execution {
  readonly id: string;
  readonly status: string;
}

/**
 * In session mode, PgBouncer gives each client connection its own server connection. In transaction mode, all processes
 * share three server connections.
 */
const MODES: readonly (readonly [string, PgBouncerOptions, isDirect: boolean])[] = [
  ['session', { mode: 'session', poolSize: 60, ignored: SESSION_PARAMETERS }, false],
  ['transaction', { mode: 'transaction', poolSize: 3 }, true],
];

describe.runIf(hasPgBouncer() && postgres !== undefined)(
  'a service behind PgBouncer, if PgBouncer is installed',
  () => {
    let database: TestDatabase;
    let pooler: PgBouncer | undefined;
    const processes: ServiceProcess[] = [];

    beforeEach(async () => {
      if (postgres === undefined) return;
      database = await postgres.create();
    });

    afterEach(async () => {
      for (const service of processes.splice(0)) await service.dispose();
      await pooler?.stop();
      await database.drop();
    });

    it.each(MODES)(
      'an API process and a worker run executions and deliver their events through PgBouncer in %s mode',
      async (_, options, isDirect) => {
        const direct = databaseUrl(database.settings);
        pooler = await PgBouncer.start(direct, options);
        const environment = {
          DATABASE_URL: pooler.url,
          ...(isDirect && { DATABASE_DIRECT_URL: direct }),
        };
        const api = new ServiceProcess({ ...environment, ROLE: 'api' });
        const worker = new ServiceProcess({ ...environment, ROLE: 'worker' }, api.token);
        processes.push(api, worker);
        await Promise.all(processes.map((service) => service.start()));

        const socket = await SocketClient.authenticated(new URL(api.url).host, api.token, '0');
        const nodes = [
          { id: 'a', type: 'set', with: { value: '{{ input.n }}' } },
          { id: 'nap', type: 'delay', with: { seconds: 0.05 }, needs: ['a'] },
          { id: 'b', type: 'wait', with: { signal: 'go' }, needs: ['nap'] },
        ];
        const workflow = await api.call<{ readonly id: string }>('POST', '/v1/workflows', {
          name: 'x',
          nodes,
        });
        const path = `/v1/workflows/${workflow.id}/executions`;
        const started = await Promise.all(
          Array.from({ length: EXECUTIONS }, (__, n) => api.call<Execution>('POST', path, { input: { n } })),
        );
        for (const { id } of started)
          await api.call('POST', `/v1/executions/${id}/signals/go`, { payload: { ok: true } });
        const ended = new Set<string>();
        await until('the end of all executions', () => {
          for (const event of socket.events)
            if (event.type === 'workflow.completed') ended.add(String(event['execution_id']));
          return started.every(({ id }) => ended.has(id));
        });
        const statuses = await Promise.all(
          started.map(({ id }) => api.call<Execution>('GET', `/v1/executions/${id}`)),
        );
        expect(statuses.filter(({ status }) => status !== 'completed')).toEqual([]);

        const program = new SpawnedProgram('dist/src/cli/main.js', api.directory, environment, ['verify']);
        const end = await program.ended;
        expect([end.code, program.out]).toEqual([
          0,
          expect.stringMatching(/^Checked 30 executions .*: 0 differ/),
        ]);
        socket.cut();
        // In transaction mode, another process uses the same server connection next. So the connection must have no
        // prepared statements.
        if (options.mode === 'transaction') expect(await preparedBehind(pooler.url)).toEqual([]);
      },
    );

    it('the CLI exits with an error that names the startup parameter that PgBouncer must ignore', async () => {
      pooler = await PgBouncer.start(databaseUrl(database.settings), { mode: 'session', poolSize: 5 });
      const program = new SpawnedProgram('dist/src/cli/main.js', '.', { DATABASE_URL: pooler.url }, [
        'verify',
      ]);
      expect((await program.ended).code).toBe(1);
      expect(program.err).toMatch(
        /unsupported startup parameter: \w+\. A pooler is in between: list that parameter in its ignore_startup_parameters/,
      );
    });
  },
);

/** Returns the prepared statements on the server connections of PgBouncer. */
async function preparedBehind(url: string): Promise<readonly unknown[]> {
  const clients = Array.from({ length: 3 }, () => new Client({ connectionString: url }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    // Opens a transaction in each client, so that PgBouncer gives each client a different server connection.
    await Promise.all(clients.map((client) => client.query('BEGIN')));
    const found = await Promise.all(
      clients.map((client) => client.query('SELECT statement FROM pg_prepared_statements')),
    );
    return found.flatMap(({ rows }) => rows as readonly unknown[]);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
