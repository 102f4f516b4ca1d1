import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { journalFaults, type SeenEvent } from './journal-verdict.js';

/** `CHAOS=long npm test -- test/chaos/sigkill.spec.ts` runs it at full length. */
const LONG = process.env['CHAOS'] === 'long';
const KILLS = LONG ? 30 : 4;
const KILL_EVERY_MS = LONG ? 2_000 : 1_500;
const EXECUTIONS = LONG ? 500 : 150;

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly output: unknown;
  readonly last_sequence: number;
}

describe('a service that is killed again and again', () => {
  let effects: Server;
  const calls = new Map<string, number>();
  let service: ServiceProcess;

  beforeAll(async () => {
    effects = createServer((request, response) => {
      const key = String(request.headers['idempotency-key']);
      calls.set(key, (calls.get(key) ?? 0) + 1);
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
        50,
      );
    });
    await new Promise<void>((resolve) => effects.listen(0, '127.0.0.1', resolve));
    const { port } = effects.address() as AddressInfo;
    service = new ServiceProcess({ EGRESS_ALLOW: `127.0.0.1:${port}` });
    await service.start();
  });

  afterAll(async () => {
    await service.dispose();
    effects.closeAllConnections();
    effects.close();
  });

  it('loses no acknowledged execution and commits no result twice', { timeout: 300_000 }, async () => {
    const { port } = effects.address() as AddressInfo;
    const nodes = tenNodes(`http://127.0.0.1:${port}/`, LONG ? 6 : 1);
    const workflow = await service.call<{ readonly id: string }>('POST', '/v1/workflows', {
      name: 'ten nodes',
      nodes,
    });
    const acknowledged: string[] = [];
    let stop = false;
    const killer = (async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(KILL_EVERY_MS);
        await service.kill();
        await service.start();
      }
      stop = true;
    })();
    // Keeps so many in flight, whatever dies; only what was answered with 201 is counted.
    const starter = (async () => {
      while (!stop || acknowledged.length < EXECUTIONS) {
        await Promise.all(
          Array.from({ length: 25 }, async () => {
            try {
              const started = await service.call<Execution>(
                'POST',
                `/v1/workflows/${workflow.id}/executions`,
                {
                  input: { n: acknowledged.length },
                },
              );
              acknowledged.push(started.id);
            } catch {
              // Not acknowledged: the service owes nothing.
            }
          }),
        );
        await pause(acknowledged.length < EXECUTIONS ? 20 : 400);
      }
    })();
    await Promise.all([killer, starter]);

    const ended: Execution[] = [];
    for (const id of acknowledged) ended.push(await endOf(service, id));
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
    const faults: string[] = [];
    for (const { id, output } of ended) {
      const { data } = await service.call<{ readonly data: readonly SeenEvent[] }>(
        'GET',
        `/v1/executions/${id}/events?limit=100`,
      );
      faults.push(
        ...journalFaults(
          data,
          nodes.map((node) => node.id),
        ).map((fault) => `${id}: ${fault}`),
      );
      if (output !== 'done: true') faults.push(`${id}: output ${JSON.stringify(output)}`);
    }
    expect(faults).toEqual([]);
    // Effects are at least once, each under a key of its own.
    for (const id of acknowledged) expect(calls.get(`${id}:call_first`) ?? 0).toBeGreaterThanOrEqual(1);
    expect(acknowledged.length).toBeGreaterThanOrEqual(EXECUTIONS);
  });
});

async function endOf(service: ServiceProcess, id: string): Promise<Execution> {
  for (let tries = 0; tries < 300; tries += 1) {
    const execution = await service.call<Execution>('GET', `/v1/executions/${id}`);
    if (['completed', 'failed', 'cancelled', 'timed_out'].includes(execution.status)) return execution;
    await pause(100);
  }
  const execution = await service.call<Execution>('GET', `/v1/executions/${id}`);
  const events = await service.call<unknown>('GET', `/v1/executions/${id}/events?limit=100`);
  throw new Error(`The execution ${id} did not end: ${JSON.stringify({ execution, events }, null, 1)}`);
}

/** Pure nodes, effects, waits in memory and waits in the database, in a chain with two branches. */
function tenNodes(
  url: string,
  seconds: number,
): readonly { readonly id: string; readonly [field: string]: unknown }[] {
  return [
    { id: 'first', type: 'set', with: { value: '{{ input.n + 1 }}' } },
    {
      id: 'call_first',
      type: 'http',
      needs: ['first'],
      with: { method: 'POST', url, body: { n: '{{ nodes.first.output }}' } },
    },
    { id: 'nap', type: 'delay', needs: ['call_first'], with: { seconds: 0.3 } },
    { id: 'left', type: 'set', needs: ['nap'], with: { value: '{{ nodes.first.output * 2 }}' } },
    { id: 'call_left', type: 'http', needs: ['left'], with: { method: 'POST', url } },
    { id: 'right', type: 'delay', needs: ['nap'], with: { seconds } },
    { id: 'call_right', type: 'http', needs: ['right'], with: { method: 'POST', url } },
    {
      id: 'join',
      type: 'set',
      needs: ['call_left', 'call_right'],
      with: { value: '{{ nodes.call_right.output.body.ok }}' },
    },
    { id: 'never', type: 'set', needs: ['join'], if: 'nodes.join.output == false', with: { value: 1 } },
    { id: 'done', type: 'set', needs: ['join', 'never'], with: { value: 'done: {{ nodes.join.output }}' } },
  ];
}
