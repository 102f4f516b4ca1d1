/**
 * Benchmark program for DBOS, written as the DBOS guide recommends. Only the route `/leave` uses a queue; other routes
 * call the workflow directly.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { listen } from './program.ts';
import { type Input, LIGHT_NAMES, STEPS } from './work.ts';

/** Size of the connection pool. With the default of 10 connections, the 64 clients would wait for connections. */
const POOL = 32;
const QUEUE = 'left';

let completed = 0;

const three = DBOS.registerWorkflow(
  async ({ n }: Input) => {
    const a = await DBOS.runStep(async () => STEPS.a(n), { name: 'a' });
    const b = await DBOS.runStep(async () => STEPS.b(a), { name: 'b' });
    const c = await DBOS.runStep(async () => STEPS.c(b), { name: 'c' });
    completed += 1;
    return c;
  },
  { name: 'three' },
);

const chain = DBOS.registerWorkflow(
  async ({ n }: Input) => {
    const outputs: number[] = [];
    for (const [index, name] of LIGHT_NAMES.entries())
      outputs.push(await DBOS.runStep(async () => n + index, { name }));
    return outputs;
  },
  { name: 'chain' },
);

const parallel = DBOS.registerWorkflow(
  ({ n }: Input) =>
    Promise.all(LIGHT_NAMES.map((name, index) => DBOS.runStep(async () => n + index, { name }))),
  { name: 'parallel' },
);

DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: process.env['DATABASE_URL'] ?? '',
  systemDatabasePoolSize: POOL,
  logLevel: 'error',
});
await DBOS.launch();
// 64 clients start workflows, so up to 64 workflows run at the same time. With the default polling interval of 1 s,
// the worker would be idle between two polls.
await DBOS.registerQueue(QUEUE, { workerConcurrency: 64, minPollingIntervalMs: 100 });

listen({
  routes: {
    '/three': three,
    '/chain': chain,
    '/parallel': parallel,
    '/leave': async (input) => (await DBOS.startWorkflow(three, { queueName: QUEUE })(input)).workflowID,
  },
  completed: () => completed,
  stop: () => DBOS.shutdown(),
});
