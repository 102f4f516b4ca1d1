/** Benchmark program for Restate, written as the Restate guide recommends. */
import { type Context, RestatePromise, serve, service } from '@restatedev/restate-sdk';
import { listen } from './program.ts';
import { type Input, LIGHT_NAMES, STEPS } from './work.ts';

let completed = 0;

const bench = service({
  name: 'bench',
  handlers: {
    three: async (context: Context, { n }: Input) => {
      const a = await context.run('a', () => STEPS.a(n));
      const b = await context.run('b', () => STEPS.b(a));
      const c = await context.run('c', () => STEPS.c(b));
      completed += 1;
      return c;
    },
    chain: async (context: Context, { n }: Input) => {
      const outputs: number[] = [];
      for (const [index, name] of LIGHT_NAMES.entries())
        outputs.push(await context.run(name, () => n + index));
      return outputs;
    },
    parallel: (context: Context, { n }: Input) =>
      RestatePromise.all(LIGHT_NAMES.map((name, index) => context.run(name, () => n + index))),
  },
});

await serve({ services: [bench], port: Number(process.env['SERVICE_PORT']) });
// Clients send executions to the Restate server. This HTTP server only reports how many executions have completed.
listen({ routes: {}, completed: () => completed, stop: () => Promise.resolve() });
