import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { OtlpReceiver, treeFaults } from '../support/otlp-receiver.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

interface Execution {
  readonly id: string;
  readonly status: string;
}

const KILLS = 4;

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

describe.each(await databaseKinds())('traces of a process that is killed on $name', (kind) => {
  it('the traces of all executions are complete although the process is killed four times', async () => {
    const database = await kind.create();
    ended.push(() => database.drop());
    const collector = await OtlpReceiver.start();
    ended.push(() => collector.stop());
    const server = await FlakyServer.start();
    ended.push(() => server.stop());
    // The server responds after 150 ms, so that attempts are running when the test kills the process.
    server.on('/', (_request, response) => void setTimeout(() => json(response, {}), 150));
    const service = new ServiceProcess({
      DATABASE_URL: databaseUrl(database.settings),
      EGRESS_ALLOW: server.address,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    ended.push(() => service.dispose());
    await service.start();
    const { id: slow } = await service.call<{ id: string }>('POST', '/v1/workflows', {
      name: 'Slow',
      nodes: [
        { id: 'call', type: 'http', with: { url: server.url('/') } },
        { id: 'end', type: 'set', needs: ['call'], with: { value: 1 } },
      ],
    });
    const { id: fast } = await service.call<{ id: string }>('POST', '/v1/workflows', {
      name: 'Fast',
      nodes: [{ id: 'end', type: 'set', with: { value: 1 } }],
    });

    const acknowledged = new Map<string, string>();
    const load = async (workflow: string, kills: () => number): Promise<void> => {
      for (const before = kills(); kills() === before;) {
        const made = await service
          .call<Execution>('POST', `/v1/workflows/${workflow}/executions`, {})
          .catch(() => null);
        if (made !== null) acknowledged.set(made.id, workflow);
      }
    };
    let kills = 0;
    while (kills < KILLS) {
      const before = acknowledged.size;
      const loads = [slow, fast, slow].map((workflow) => load(workflow, () => kills));
      // Kills the process after 60 more executions started, while some spans still wait for their export.
      await until('60 more acknowledged executions', () => acknowledged.size >= before + 60);
      await service.kill();
      kills += 1;
      await Promise.all(loads);
      await service.start();
    }

    for (const execution of acknowledged.keys())
      await until(`the end of ${execution}`, async () => {
        const { status } = await service.call<Execution>('GET', `/v1/executions/${execution}`);
        return status === 'completed';
      });
    const faults: string[] = [];
    for (const [execution, workflow] of acknowledged) {
      const spans = await collector.ended(execution);
      const names = new Set(spans.map(({ name }) => name));
      const expected = workflow === slow ? ['execution', 'http call', 'set end'] : ['execution', 'set end'];
      faults.push(...treeFaults(spans), ...expected.filter((name) => !names.has(name)));
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS * 50);
    expect(faults).toEqual([]);
    expect(collector.received.some(({ events }) => events.includes('recovered'))).toBe(true);
  });
});
