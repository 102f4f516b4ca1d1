/** W3: measures an execution of many light nodes, which run one after the other or in parallel. */
import { withBound } from './bound-process.ts';
import { type Load, median, round } from './load.ts';
import { type ServiceClient, startService } from './service.ts';
import { sized } from './size.ts';

const SIZES = [40, 500];
const ROUNDS = sized(5, 3);
/** Number of executions before the measurement, during which V8 optimizes the code. */
const WARM_UP = sized(30, 5);

const INPUT = { input: { n: 1 } };

export type LightShape = 'chain' | 'parallel';

interface Ended {
  readonly status?: string;
}

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
      const start = async (shape: LightShape): Promise<() => Promise<void>> => {
        const path = await createLightNodes(service, nodes, shape);
        return async () => checkEnd(await service.post<Ended>(path, INPUT));
      };
      const chain = await timed(await start('chain'));
      const parallel = await timed(await start('parallel'));
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

/**
 * Creates a workflow of light nodes.
 * @returns the path of a request that runs one execution and waits for its end
 */
export async function createLightNodes(
  { post }: Pick<ServiceClient, 'post'>,
  nodes: number,
  shape: LightShape,
): Promise<string> {
  const lights = Array.from({ length: nodes }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    needs: shape === 'parallel' || index === 0 ? [] : [`n${index - 1}`],
    with: { value: `{{ input.n + ${index} }}` },
  }));
  const { id } = await post('/v1/workflows', { name: 'light', nodes: lights });
  return `/v1/workflows/${id}/executions?wait=30`;
}

/** Adds the request body and the check of the response to a load that runs a workflow of light nodes. */
export function startsOfLightNodes(
  to: Pick<Load, 'url' | 'path' | 'headers' | 'clients'>,
): Omit<Load, 'requests'> {
  return {
    ...to,
    body: () => JSON.stringify(INPUT),
    check: (_, body) => checkEnd(JSON.parse(body) as Ended),
  };
}

function checkEnd({ status }: Ended): void {
  if (status !== 'completed') throw new Error(`The execution is ${status}, not completed.`);
}
