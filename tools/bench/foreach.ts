/** Benchmarks a loop over 10,000 items: duration in seconds, and memory of the server. */
import { setTimeout as pause } from 'node:timers/promises';
import { inRounds, round } from './load.ts';
import { respondJson, startReceiver } from './receiver.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';

const ITEMS = sized(10_000, 500);
const SAMPLE_MS = 50;

export interface ForeachFigures {
  readonly body: string;
  readonly items: number;
  readonly seconds: number;
  readonly grown_mb: number;
}

/** Measures two loops: one with a pure node, and one with a node that calls a server and gets responses of 2 KiB. */
export async function foreach(): Promise<readonly ForeachFigures[]> {
  const receiver = await startReceiver((response) => respondJson(response, 200, { text: 'x'.repeat(2_048) }));
  try {
    const call = { id: 'call', type: 'http', with: { url: receiver.url } };
    return [
      await inRounds(() =>
        measure('set', { nodes: [{ id: 'twice', type: 'set', with: { value: '{{ item * 2 }}' } }] }, ''),
      ),
      await inRounds(() =>
        measure(
          'http',
          { nodes: [call], output: '{{ nodes.call.output.status }}', max_concurrency: 16 },
          receiver.address,
        ),
      ),
    ];
  } finally {
    receiver.stop();
  }
}

async function measure(body: string, loop: object, egress: string): Promise<ForeachFigures> {
  const service = await startService({ settings: egress === '' ? {} : { EGRESS_ALLOW: egress } });
  try {
    const { id } = await service.post('/v1/workflows', {
      name: body,
      config: { timeout_seconds: 3600 },
      nodes: [{ id: 'each', type: 'foreach', with: { items: '{{ input }}', ...loop } }],
    });
    const statusOf = async (execution: string): Promise<string> => {
      const answer = await fetch(`${service.server.url}/v1/executions/${execution}`, {
        headers: service.headers,
      });
      return ((await answer.json()) as { readonly status: string }).status;
    };
    const run = async (items: number): Promise<number> => {
      const begun = performance.now();
      const started = await service.post(`/v1/workflows/${id}/executions?wait=60`, {
        input: Array.from({ length: items }, (_, n) => n),
      });
      let status = await statusOf(started.id);
      for (; status === 'running'; status = await statusOf(started.id)) await pause(SAMPLE_MS);
      if (status !== 'completed') throw new Error(`The execution ${started.id} is ${status}, not completed.`);
      return (performance.now() - begun) / 1_000;
    };
    await run(100);
    const idle = service.server.residentMb();
    let peak = idle;
    const sampling = setInterval(() => {
      peak = Math.max(peak, service.server.residentMb());
    }, SAMPLE_MS);
    const seconds = await run(ITEMS);
    clearInterval(sampling);
    return { body, items: ITEMS, seconds: round(seconds), grown_mb: round(peak - idle) };
  } finally {
    await service.stop();
  }
}
