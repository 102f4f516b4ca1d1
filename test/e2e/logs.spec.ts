import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly execution_id?: string;
}

interface Execution {
  readonly id: string;
  readonly workflow_id: string;
  readonly trace_id: string;
}

const NODES = {
  good: [{ id: 'a', type: 'set', with: { value: 'private-value' } }],
  bad: [{ id: 'a', type: 'fail', with: { message: 'private-value' } }],
};

describe('LOG_EXECUTIONS', () => {
  let service: ServiceProcess;

  beforeAll(async () => {
    service = new ServiceProcess({ LOG_EXECUTIONS: 'true', LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
    await service.start();
  });
  afterAll(() => service.dispose());

  function linesOf(id: string): readonly Line[] {
    return service.log.split('\n').flatMap((text) => {
      if (!text.includes(id)) return [];
      return [JSON.parse(text) as Line];
    });
  }

  async function run(nodes: object): Promise<Execution> {
    const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'Logged', nodes });
    return service.call<Execution>('POST', `/v1/workflows/${id}/executions?wait=60`, {});
  }

  it('LOG_EXECUTIONS=true logs the start and end of an execution with its execution, workflow and trace ids', async () => {
    const { id, workflow_id, trace_id } = await run(NODES.good);
    await until('two log lines', () => linesOf(id).length >= 2);
    const ids = { level: 'info', execution_id: id, workflow_id, trace_id };
    expect(linesOf(id)).toMatchObject([
      { ...ids, msg: 'Execution started.' },
      { ...ids, msg: 'Execution ended.', status: 'completed' },
    ]);
  });

  it('LOG_EXECUTIONS=true logs the failed node of an execution, but not the error message', async () => {
    const { id } = await run(NODES.bad);
    await until('two log lines', () => linesOf(id).length >= 2);
    expect(linesOf(id).at(-1)).toMatchObject({
      level: 'info',
      msg: 'Execution failed.',
      status: 'failed',
      node_id: 'a',
    });
    expect(service.log).not.toContain('private-value');
  });
});

it('without LOG_EXECUTIONS, no log line contains an execution id, and with LOG_FORMAT=pretty no line is JSON', async () => {
  const service = new ServiceProcess({ LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' });
  try {
    await service.start();
    const nodes = NODES.good;
    const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'Silent', nodes });
    const execution = await service.call<Execution>('POST', `/v1/workflows/${id}/executions?wait=60`, {});
    await service.terminate();
    expect(service.log).not.toContain(execution.id);
    expect(service.log.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
  } finally {
    await service.dispose();
  }
});
