import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type NodeExample, readExamples } from '../../tools/docs-site/node-type-pages.ts';
import { type TestResource, TestService } from '../support/service.js';

/** The host that the documented examples call. The test replaces this host with a local server. */
const HOST = 'https://api.example.com';

const examples = readExamples('docs/node-types');
const named = [...examples].flatMap(([type, list]) =>
  list.map((example) => [type, example.title, example] as const),
);
let service: TestService;
let server: Server;
let responses: Readonly<Record<string, unknown>> = {};
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = responses[`${request.method} ${request.url}`];
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await TestService.start({ environment: { EGRESS_ALLOW: address } });
});

afterAll(async () => {
  await service?.stop();
  server?.close();
});

it.each(named)(
  'the documented example of the node type %s ends with the documented status and result: %s',
  async (type, _, example) => {
    responses = example.responses ?? {};
    const execution = await started(example);
    for (const [name, payload] of Object.entries(example.signals ?? {}))
      expect(
        (await service.post(`/v1/executions/${execution}/signals/${name}`, { payload })).status,
      ).toBeLessThan(300);
    await expect.poll(async () => (await read(execution))['status']).toBe(example.status);
    const ended = await read(execution);
    const result = example.status === 'completed' ? ended['output'] : ended['error'];
    if (example.status === 'completed') expect(result).toEqual(example.result);
    else expect(result).toMatchObject(example.result as object);
    expect(JSON.stringify(example.workflow)).toContain(`"type":"${type}"`);
  },
);

it('every built-in node type has an example in its documentation', async () => {
  const { body } = await service.get<{ data: readonly { type: string }[] }>('/v1/node-types?limit=100');
  expect(body.data.map(({ type }) => type).filter((type) => !examples.has(type))).toEqual([]);
});

/**
 * Creates and starts the workflow of an example.
 * @returns the id of the execution
 */
async function started({ workflow, child, input = {} }: NodeExample): Promise<string> {
  const childId = child === undefined ? '' : await created(child);
  const text = JSON.stringify(workflow)
    .replaceAll('CHILD_WORKFLOW_ID', childId)
    .replaceAll(HOST, `http://${address}`);
  const { body: session } = await service.post('/v1/sessions', {});
  const { status, body } = await service.post(`/v1/workflows/${await created(JSON.parse(text))}/executions`, {
    input,
    session_id: session.id,
  });
  expect(status).toBe(201);
  return body.id;
}

async function created(workflow: object): Promise<string> {
  const { status, body } = await service.post('/v1/workflows', workflow);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function read(id: string): Promise<TestResource> {
  return (await service.get(`/v1/executions/${id}`)).body;
}
