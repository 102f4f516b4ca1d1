/** W3: measures an execution of many light nodes, which run one after the other or in parallel. */
import { withBound } from './bound-process.ts';
import { median, round } from './load.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';

const SIZES = [40, 500];
const ROUNDS = sized(5, 3);
/** Number of executions before the measurement, during which V8 optimizes the code. */
const WARM_UP = sized(30, 5);

export interface LightNodes {
  readonly nodes: number;
  /** Number of repetitions of the measurement. The times in a result are medians. */
  readonly rounds: number;
  /** Milliseconds from the start request to the response, which the service sends at the end of the execution. */
  readonly chain_ms: number;
  readonly parallel_ms: number;
  readonly bound_ms: number;
  readonly ratio_of_chain: number;
}

export async function lightNodes(): Promise<readonly LightNodes[]> {
  const service = await startService();
  try {
    const rows: LightNodes[] = [];
    for (const nodes of SIZES) {
      const start = async (shape: (index: number) => readonly string[]): Promise<() => Promise<void>> => {
        const workflow = await service.post('/v1/workflows', { name: 'light', nodes: lights(nodes, shape) });
        return async () => {
          const path = `/v1/workflows/${workflow.id}/executions?wait=30`;
          const { status } = await service.post<{ readonly status: string }>(path, { input: { n: 1 } });
          if (status !== 'completed') throw new Error(`The execution is ${status}, not completed.`);
        };
      };
      const chain = await timed(await start((index) => (index === 0 ? [] : [`n${index - 1}`])));
      const parallel = await timed(await start(() => []));
      const bound = await withBound('one', (server) =>
        timed(async () => {
          const body = JSON.stringify({ input: { n: 1, steps: nodes } });
          await (await fetch(server.url, { method: 'POST', body })).text();
        }),
      );
      rows.push({
        nodes,
        rounds: ROUNDS,
        chain_ms: round(chain),
        parallel_ms: round(parallel),
        bound_ms: round(bound),
        ratio_of_chain: round(bound / chain),
      });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await work();
  const times: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times, (ms) => ms);
}

function lights(count: number, needs: (index: number) => readonly string[]): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    needs: needs(index),
    with: { value: `{{ input.n + ${index} }}` },
  }));
}
