import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const service = new ServiceProcess();

beforeAll(() => service.start());
afterAll(() => service.dispose());

interface Hook {
  readonly id: string;
  readonly url: string;
}
interface List {
  readonly data: readonly { readonly id: string; readonly outcome?: string }[];
}

it('after a crash, a repeated hook request gets the output of the execution that the first request started', async () => {
  const { id: workflowId } = await service.call<Hook>('POST', '/v1/workflows', {
    name: 'Waits',
    nodes: [{ id: 'hold', type: 'wait', with: { signal: 'go' } }],
  });
  const hook = await service.call<Hook>('POST', '/v1/hooks', {
    workflow_id: workflowId,
    respond: 'output',
  });
  const path = new URL(hook.url).pathname;
  const deliver = (): Promise<Response> =>
    fetch(service.url + path, { method: 'POST', headers: { 'x-github-delivery': '1' }, body: 'x' });
  const lost = deliver().then(
    () => 'answered',
    () => 'lost',
  );
  const executions = `/v1/workflows/${workflowId}/executions`;
  const [first] = await until('the start', async () => {
    const { data } = await service.call<List>('GET', `${executions}?status=waiting`);
    return data.length > 0 && data;
  });
  await service.kill();
  expect(await lost).toBe('lost');
  await service.start();

  const repeat = deliver();
  await until('the recorded repetition of the request', async () => {
    const { data } = await service.call<List>('GET', `/v1/hooks/${hook.id}/deliveries`);
    return data.some(({ outcome }) => outcome === 'repeated');
  });
  await service.call('POST', `/v1/executions/${first?.id}/signals/go`, { payload: { done: true } });
  const response = await repeat;
  expect([response.status, await response.json()]).toEqual([200, { done: true }]);
  expect((await service.call<List>('GET', executions)).data).toHaveLength(1);
  expect(service.log).not.toContain(path.slice('/hooks/'.length));
});
