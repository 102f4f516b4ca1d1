import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/index.js';
import { newKeyOf, newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';

Logger.overrideLogger(false);

let service: TestService;
let workflowId: string;

const NODES = [
  { id: 'load', type: 'set', with: { value: [1, 2] } },
  { id: 'sum', type: 'set', with: { value: '{{ nodes.load.output.sum() + input.n }}' } },
  {
    id: 'program',
    type: 'code',
    with: { source: 'console.log("seen"); return input.n * 2;', input: '{{ input }}' },
  },
  { id: 'endless', type: 'code', timeout_seconds: 1, with: { source: 'while (true) {}' } },
  { id: 'stop', type: 'fail', with: { message: 'No.' } },
  { id: 'hold', type: 'wait', with: { signal: 'go' } },
  {
    id: 'each',
    type: 'foreach',
    with: { items: [1], nodes: [{ id: 'twice', type: 'set', with: { value: '{{ item * 2 }}' } }] },
  },
];

beforeAll(async () => {
  service = await TestService.start();
  const { body } = await service.post('/v1/workflows', { name: 'Tested', nodes: NODES });
  workflowId = body.id;
});
afterAll(() => service?.stop());

const test = (node: string, body: object = {}, options = {}) =>
  service.post(`/v1/workflows/${workflowId}/nodes/${node}/test`, body, options);

describe('POST /v1/workflows/{id}/nodes/{node_id}/test', () => {
  it('testing a saved node returns the output of the node for the given data', async () => {
    const { status, body } = await test('sum', {
      scope: { input: { n: 4 }, nodes: { load: { output: [1, 2] } } },
    });
    expect([status, body]).toEqual([
      200,
      { status: 'completed', output: 7, logs: [], duration_ms: expect.any(Number) },
    ]);
  });

  it('testing a `code` node runs its program and returns the log lines of the program', async () => {
    const { body } = await test('program', { scope: { input: { n: 4 } } });
    expect(body).toMatchObject({ status: 'completed', output: 8, logs: ['seen'] });
  });

  it('testing a node responds 200 even if the node fails, waits, or has parameters that cannot be evaluated', async () => {
    expect((await test('stop')).body).toMatchObject({ status: 'failed', error: { message: 'No.' } });
    expect((await test('hold')).body).toMatchObject({
      status: 'waiting',
      waiting_for: { until: null, signal: 'go' },
    });
    expect((await test('sum')).body).toMatchObject({ status: 'failed', error: { code: 'expression_error' } });
  });

  it('a node test fails with `node_timeout` if the program of the node exceeds the timeout of the node', async () => {
    const { body } = await test('endless');
    expect(body).toMatchObject({ status: 'failed', error: { code: 'node_timeout' } });
  });

  it('testing a node inside a loop succeeds, and testing the loop responds 409', async () => {
    expect((await test('twice', { scope: { item: 3 } })).body).toMatchObject({ output: 6 });
    const { status, body } = await test('each');
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'node_not_testable' } });
  });

  it('testing a node accepts unsaved parameters and names the path of an invalid parameter', async () => {
    expect((await test('sum', { with: { value: 'new' } })).body).toMatchObject({ output: 'new' });
    const { status, body } = await test('sum', { with: { value: '{{ nope }}' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: { field: 'nodes[1].with.value' } } });
  });

  it('testing a node creates no execution', async () => {
    await test('sum', { scope: { input: { n: 1 }, nodes: { load: { output: [] } } } });
    const { body } = await service.get('/v1/executions');
    expect(body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('testing a node responds 404 if the workflow or the node is unknown', async () => {
    expect((await test('nothing')).status).toBe(404);
    const { status } = await service.post(`/v1/workflows/${newId()}/nodes/sum/test`, {});
    expect(status).toBe(404);
  });

  it('testing a node requires the scope executions:write, and also workflows:write for unsaved parameters', async () => {
    const { id, teamId } = await newPerson(service, 'member');
    const keyOf = async (...scopes: ('executions:write' | 'workflows:read')[]) =>
      (await newKeyOf(service, { id, teamId, role: 'member' }, { scopes })).secret;
    const refused = await test('stop', {}, { key: await keyOf('workflows:read') });
    expect(refused.body).toMatchObject({ error: { details: { required_scope: 'executions:write' } } });
    const key = await keyOf('executions:write');
    expect((await test('stop', {}, { key })).status).toBe(200);
    const other = await test('stop', { with: { message: 'Mine.' } }, { key });
    expect(other.body).toMatchObject({ error: { details: { required_scope: 'workflows:write' } } });
  });
});
