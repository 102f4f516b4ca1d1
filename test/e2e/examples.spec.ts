import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BILLING_KEY, startWorld, type World } from '../../examples/world.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';

let world: World;
let service: TestService;

beforeAll(async () => {
  world = await startWorld(0);
  service = await TestService.start({ environment: { EGRESS_ALLOW: world.address } });
});

afterAll(async () => {
  await service?.stop();
  await world?.close();
});

/** Reads a JSON file of an example. Replaces the server address in the file with the address of the test server. */
async function file(name: string): Promise<JsonObject> {
  const text = await readFile(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text.replaceAll('127.0.0.1:4000', world.address)) as JsonObject;
}

async function create(name: string): Promise<string> {
  const answer = await service.post('/v1/workflows', await file(name));
  expect(answer.status, JSON.stringify(answer.error)).toBe(201);
  return answer.body.id;
}

/** Runs an example with its input file, overridden by `input`. @returns the execution after at most 30 seconds */
async function run(name: string, input: JsonObject = {}): Promise<ExecutionView> {
  const id = await create(`${name}/workflow`);
  const own = name === 'sub-workflows' ? {} : await file(`${name}/input`);
  const answer = await service.post<ExecutionView>(`/v1/workflows/${id}/executions?wait=30`, {
    input: { ...own, ...input },
  });
  expect(answer.status, JSON.stringify(answer.error)).toBe(201);
  return answer.body;
}

const output = async (name: string, input: JsonObject = {}): Promise<Json> => (await run(name, input)).output;

describe('the examples', () => {
  it('the example order-fulfillment ships a paid order', async () => {
    expect(await output('order-fulfillment')).toEqual({ shipped: true, tracking: 'T-4711', released: false });
  });

  it('the example order-fulfillment releases the reservation of an unpaid order', async () => {
    expect(await output('order-fulfillment', { sku: 'sofa', card: 'declined' })).toEqual({
      shipped: false,
      tracking: null,
      released: true,
    });
    expect(world.requests).toContain('DELETE /reservations/r-sofa');
  });

  it('the example github-push announces a push to the main branch, but no push to another branch', async () => {
    const workflow_id = await create('github-push/workflow');
    // The hook of the example verifies signatures with a secret that this service does not have, so the test turns the
    // verification off.
    const hook = { ...(await file('github-push/hook')), verification: { type: 'none' }, respond: 'output' };
    const { body: made } = await service.post('/v1/hooks', { ...hook, workflow_id });
    const push = (ref: string) => ({ repository: { full_name: 'octo/hello' }, ref, after: '6dcb09b' });
    const outputs = await Promise.all(
      ['refs/heads/main', 'refs/heads/topic'].map((ref) =>
        service.post<Json>(`/v1/hooks/${made.id}/test`, {
          headers: { 'X-GitHub-Event': 'push' },
          body: push(ref),
        }),
      ),
    );
    expect(outputs.map(({ body }) => body)).toEqual([
      { announced: 'octo/hello is at 6dcb09b.' },
      { announced: null },
    ]);
    expect(await output('github-push')).toEqual({ announced: 'octo/hello is at 6dcb09b.' });
  });

  it('the example send-invoice sends an API key from a secret, and no event or node record contains the key', async () => {
    const secret = await service.post('/v1/secrets', { name: 'BILLING_KEY', value: 'sk_test_outdated' });
    expect(await run('send-invoice')).toMatchObject({ status: 'failed', error: { node_id: 'invoice' } });

    await service.patch(`/v1/secrets/${secret.body.id}`, { value: BILLING_KEY });
    const execution = await run('send-invoice');
    expect(execution.output).toEqual({ invoice: 'inv-1' });
    const calls = new ExecutionCalls(service);
    const records = JSON.stringify([
      [...(await calls.nodes(execution.id)).values()],
      await calls.events(execution.id),
    ]);
    expect(records).toContain('Bearer [secret BILLING_KEY]');
    expect(records).not.toContain(BILLING_KEY);
  });

  it('the example poll-a-job polls a job until it completes', async () => {
    expect(await output('poll-a-job')).toEqual({ rows: 42 });
    expect(world.requests.filter((line) => line === 'GET /jobs/job-1')).toHaveLength(3);
  });

  it('the example error-branch fails after a failed payment, and completes after a successful payment', async () => {
    const { status, error } = await run('error-branch');
    expect({ status, error }).toMatchObject({
      status: 'failed',
      error: { node_id: 'give_up', details: { cause: 'http_status_error' } },
    });
    expect(await output('error-branch', { card: '4242' })).toEqual({ payment: 'p-1' });
  });

  it('the example expense-approval books a small expense immediately and does not book a large expense that is rejected', async () => {
    expect(await output('expense-approval', { amount: 20 })).toEqual({ approved: true });

    const id = await create('expense-approval/workflow');
    const { body } = await service.post(`/v1/workflows/${id}/executions`, {
      input: await file('expense-approval/input'),
    });
    const calls = new ExecutionCalls(service);
    await calls.until(body.id, ({ status }) => status === 'waiting');
    const waiting = (await calls.events(body.id)).find(({ type }) => type === 'workflow.node.waiting');
    const decided = await fetch(String(waiting?.data['reject_url']), { method: 'POST' });
    expect(decided.status).toBe(200);
    expect((await calls.ended(body.id)).output).toEqual({ approved: false });
    expect(world.requests.filter((line) => line === 'POST /bookings')).toHaveLength(1);
  });

  it('the example sales-report reports the sales of all regions', async () => {
    expect(await output('sales-report')).toEqual({ total: 2500, best: 'north', failed: 0 });
  });

  it('the example nightly-import imports all other pages if one page is broken', async () => {
    expect(await output('nightly-import')).toEqual({ imported: 4, failed_pages: 1 });
  });

  it('the example sub-workflows starts two child executions and returns both outputs', async () => {
    const child = await create('sub-workflows/child');
    expect(await output('sub-workflows', { greeting_workflow: child, name: 'Ada' })).toEqual({
      greetings: ['Hello Ada!', 'Bonjour Ada!'],
    });
  });

  it('the example chat counts the messages of a session across executions', async () => {
    const session = await service.post('/v1/sessions', { name: 'chat', concurrency: 'serial' });
    const id = await create('chat/workflow');
    const input = await file('chat/input');
    const turn = async (message: string): Promise<Json> => {
      const answer = await service.post<ExecutionView>(`/v1/workflows/${id}/executions?wait=30`, {
        session_id: session.body.id,
        input: { ...input, message },
      });
      return answer.body.output;
    };
    expect(await turn('Hello')).toEqual({ text: 'You said: Hello', turns: 1 });
    expect(await turn('Again')).toEqual({ text: 'You said: Again', turns: 2 });
  });
});
