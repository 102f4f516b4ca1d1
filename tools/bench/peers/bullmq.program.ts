/**
 * Benchmark program with a BullMQ producer and worker in one process. A request adds a flow and waits for the last job
 * of the flow.
 */
import { type FlowJob, FlowProducer, type Job, QueueEvents, Worker } from 'bullmq';
import { listen } from './program.ts';
import { type Input, LIGHT_NAMES, STEPS } from './work.ts';

const QUEUE = 'bench';
/** Number of jobs that the worker runs at the same time, equal to the number of clients. */
const CONCURRENCY = 64;
const WAIT_MS = 60_000;

const { hostname: host, port } = new URL(process.env['REDIS_URL'] ?? '');
const connection = { host, port: Number(port) };
/** Removes ended jobs from Redis, as BullMQ's production guide recommends. */
const opts = { removeOnComplete: 1_000 };

let completed = 0;

/** Returns the input of a job: the output of its only child job, or `n` for the first job of a flow. */
async function given(job: Job<Input>): Promise<number> {
  const [value] = Object.values(await job.getChildrenValues<number>());
  return value ?? job.data.n;
}

async function work(job: Job<Input>): Promise<unknown> {
  if (job.name === 'a') return STEPS.a(job.data.n);
  if (job.name === 'b') return STEPS.b(await given(job));
  if (job.name === 'c') {
    const output = STEPS.c(await given(job));
    completed += 1;
    return output;
  }
  if (job.name === 'join') return Object.values(await job.getChildrenValues<number>());
  if (job.name.startsWith('chained_'))
    return [...Object.values(await job.getChildrenValues<readonly number[]>()).flat(), job.data.n];
  return job.data.n;
}

const flows = new FlowProducer({ connection });
// Every waiting request adds a listener. The default limit of 10 listeners would cause warnings of Node.js.
flows.setMaxListeners(0);
const events = new QueueEvents(QUEUE, { connection });
events.setMaxListeners(0);
const worker = new Worker(QUEUE, work, { connection, concurrency: CONCURRENCY });
worker.on('error', (error) => process.stderr.write(`${error.message}\n`));
await Promise.all([flows.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);

/**
 * Returns a flow that runs the named jobs in order. Each job is the child of the next one, because BullMQ runs children
 * before their parents.
 */
function nested(names: readonly string[], data: Input): FlowJob {
  const [first = '', ...rest] = names;
  return rest.reduce<FlowJob>((child, name) => ({ name, queueName: QUEUE, data, opts, children: [child] }), {
    name: first,
    queueName: QUEUE,
    data,
    opts,
  });
}

async function run(flow: FlowJob): Promise<unknown> {
  const { job } = await flows.add(flow);
  const output: unknown = await job.waitUntilFinished(events, WAIT_MS);
  return output;
}

listen({
  routes: {
    '/three': (input) => run(nested(['a', 'b', 'c'], input)),
    '/chain': (input) =>
      run(
        nested(
          LIGHT_NAMES.map((name) => `chained_${name}`),
          input,
        ),
      ),
    '/parallel': ({ n }) =>
      run({
        name: 'join',
        queueName: QUEUE,
        data: { n },
        opts,
        children: LIGHT_NAMES.map((name, index) => ({
          name,
          queueName: QUEUE,
          data: { n: n + index },
          opts,
        })),
      }),
    '/leave': async (input) => (await flows.add(nested(['a', 'b', 'c'], input))).job.id,
  },
  completed: () => completed,
  stop: () => Promise.all([worker.close(), events.close(), flows.close()]),
});
