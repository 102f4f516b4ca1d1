/** The workflow of the benchmark W1, which has three sequential steps, and the requests that start its executions. */
import { type Figures, type Load, run } from './load.ts';
import type { ServiceClient } from './service.ts';

export const THREE_STEPS = [
  { id: 'a', type: 'set', with: { value: '{{ input.n + 1 }}' } },
  { id: 'b', type: 'set', with: { value: '{{ nodes.a.output * 2 }}' } },
  { id: 'c', type: 'set', with: { value: 'result {{ nodes.b.output }}' } },
];

/**
 * Creates the workflow of the benchmark W1.
 * @returns the path of a request that runs one execution and waits for its end
 */
export async function createThreeSteps({ post }: Pick<ServiceClient, 'post'>): Promise<string> {
  const { id } = await post('/v1/workflows', { name: 'three steps', nodes: THREE_STEPS });
  return `/v1/workflows/${id}/executions?wait=30`;
}

/** Adds the request body and the check of the response to a load that runs the three-step workflow. */
export function startsOfThreeSteps(
  to: Pick<Load, 'url' | 'path' | 'headers' | 'clients'>,
): Omit<Load, 'requests'> {
  return {
    ...to,
    body: (n) => JSON.stringify({ input: { n } }),
    check: (status, body) => {
      const answer = JSON.parse(body) as { readonly status?: string; readonly output?: string };
      if (status !== 201 || answer.status !== 'completed' || answer.output?.startsWith('result ') !== true)
        throw new Error(`The service responded with the status ${status}: ${body}`);
    },
  };
}

export interface CpuFigures extends Figures {
  readonly cpuMsEach: number;
}

/**
 * Runs a load twice: a warm-up, then the measurement.
 * @param requests number of requests in the warm-up and in the measurement
 * @param cpuMs returns the CPU time of the measured processes so far, in milliseconds
 */
export async function measuredLoad(
  load: Omit<Load, 'requests'>,
  requests: { readonly warmUp: number; readonly measured: number },
  cpuMs: () => number,
): Promise<CpuFigures> {
  await run({ ...load, requests: requests.warmUp });
  return measuredRun({ ...load, requests: requests.measured }, cpuMs);
}

/** Runs a load once, without a warm-up, and measures the CPU time of each request. */
export async function measuredRun(load: Load, cpuMs: () => number): Promise<CpuFigures> {
  const before = cpuMs();
  const figures = await run(load);
  return { ...figures, cpuMsEach: (cpuMs() - before) / figures.count };
}
