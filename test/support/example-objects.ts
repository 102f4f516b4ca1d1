import type { TestDashboard } from './dashboard.js';
import { type FlakyServer, json } from './flaky-server.js';
import { until } from './until.js';

interface Created {
  readonly id: string;
}

/** Ids and paths of the example objects that tests open by URL. */
export interface ExampleObjects {
  readonly workflow: string;
  /** Id of a workflow without nodes and executions. */
  readonly draft: string;
  readonly completed: string;
  readonly failed: string;
  readonly waiting: string;
  readonly paused: string;
  readonly loop: string;
  /** Ids of two executions of one workflow that ran different nodes. */
  readonly compared: readonly [base: string, other: string];
  readonly session: string;
  readonly schedule: string;
  readonly hook: string;
  readonly webhook: string;
  /** Token of an approval that waits for a decision. */
  readonly approval: string;
  /** Path of the page on which a person accepts an invitation. */
  readonly invitation: string;
}

/** A long name, to check that pages do not overflow. */
const LONG_NAME = 'Send the confirmation with the tracking number to the customer';

/** Creates an object of every kind that the dashboard shows, and executions in every status. */
export async function createExampleObjects(
  dashboard: TestDashboard,
  server: FlakyServer,
): Promise<ExampleObjects> {
  server
    .on('/order', (_, response) => json(response, { id: 'A-1042', sku: 'book', amount: 42 }))
    .on('/declined', (_, response) => json(response, { reason: 'The card was declined.' }, 402))
    .on('/silent', () => undefined)
    .on('/events', (_, response) => json(response, {}));
  const post = <T = Created>(path: string, body: unknown = {}): Promise<T> =>
    dashboard.api<T>('POST', `/v1${path}`, body);
  /** Creates a workflow whose executions may take an hour, because they must not time out while tests show them. */
  const workflow = async (
    name: string,
    nodes: readonly object[],
    { config, ...more }: { readonly config?: object; readonly [field: string]: unknown } = {},
  ): Promise<string> =>
    (await post('/workflows', { name, nodes, config: { timeout_seconds: 3_600, ...config }, ...more })).id;
  const start = async (id: string, input: object = {}, more: object = {}): Promise<string> =>
    (await post(`/workflows/${id}/executions`, { input, ...more })).id;
  const becomes = async (id: string, status: string): Promise<void> => {
    const read = () => dashboard.api<{ readonly status: string }>('GET', `/v1/executions/${id}`);
    await until(`an execution that is ${status}`, async () => (await read()).status === status);
  };
  const http = (path: string) => ({ type: 'http', with: { url: server.url(path) } });

  const order = await workflow(
    'order-fulfillment',
    [
      { id: 'fetch', name: 'Fetch order', ...http('/order') },
      { id: 'stock', name: 'Check stock', type: 'set', with: { value: '{{ nodes.fetch.output.status }}' } },
      {
        id: 'charge',
        name: 'Charge card',
        needs: ['stock'],
        ...http('/{{ input.?path.orValue("order") }}'),
        retry: { max_attempts: 2, initial_delay_ms: 10 },
      },
      { id: 'gift', name: 'Wrap as a gift', type: 'set', needs: ['stock'], if: 'false', with: { value: 1 } },
      { id: 'notify', name: LONG_NAME, type: 'set', needs: ['charge'], with: { value: 'sent' } },
    ],
    {
      description: 'Reserves the goods, charges the card and ships the goods.',
      tags: ['shop', 'example', 'payments'],
      status: 'active',
      input_schema: { type: 'object', properties: { path: { type: 'string', title: 'Path' } } },
    },
  );
  const expense = await workflow('expense-approval', [
    {
      id: 'decision',
      name: 'Ask for approval',
      type: 'wait',
      with: { signal: 'decision', approval: { title: 'Expense of Ada', description: '420 is to be paid.' } },
    },
    { id: 'book', name: 'Book it', type: 'set', with: { value: '{{ nodes.decision.output.approved }}' } },
  ]);
  const report = await workflow('sales-report', [
    {
      id: 'each',
      name: 'Each region',
      type: 'foreach',
      with: { items: [1, 2, 3], nodes: [{ id: 'sum', type: 'set', with: { value: '{{ item }}' } }] },
    },
  ]);
  const silent = await workflow('nightly-import', [{ id: 'call', name: 'Call', ...http('/silent') }], {
    config: { max_running: 1 },
  });
  const nap = [{ id: 'nap', name: 'Wait for the pickup', type: 'delay', with: { seconds: 3_000 } }];
  const sleeper = await workflow('pickup', nap);
  const short = await workflow('impatient', nap, { config: { timeout_seconds: 1 } });
  const draft = await workflow('draft', [], { status: 'draft' });

  const session = (await post('/sessions', { name: 'Customer 4711', state: { paid: false } })).id;
  const late = await start(short);
  const completed = await start(order, {}, { session_id: session });
  const base = await start(order);
  const failed = await start(order, { path: 'declined' });
  const waiting = await start(expense);
  const loop = await start(report);
  const running = await start(silent);
  await start(silent);
  const paused = await start(sleeper);
  const cancelled = await start(sleeper);
  await becomes(paused, 'waiting');
  await post(`/executions/${paused}/pause`);
  await post(`/executions/${cancelled}/cancel`);

  const schedule = (
    await post('/schedules', {
      workflow_id: order,
      name: 'Morning report',
      cron: '0 9 * * MON-FRI',
      time_zone: 'Europe/Berlin',
      input: {},
    })
  ).id;
  await post('/schedules', { workflow_id: report, name: 'Stock check', every_seconds: 900 });
  await post(`/schedules/${schedule}/trigger`);
  const hook = await post<Created & { readonly url: string }>('/hooks', {
    workflow_id: order,
    name: 'Shop orders',
  });
  for (const body of ['{}', '{'])
    await fetch(hook.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const webhook = (
    await post('/webhooks', {
      url: server.url('/events'),
      events: ['workflow.completed', 'workflow.failed'],
      description: 'Warehouse',
    })
  ).id;
  await post(`/webhooks/${webhook}/test`);
  await post('/webhooks', { url: 'https://down.invalid/a/long/path/of/an/endpoint/that/does/not/exist' });
  for (const name of ['PAYMENT_KEY', 'WAREHOUSE_TOKEN'])
    await post('/secrets', { name, value: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc', description: 'For tests.' });
  await post('/keys', { name: 'ci-production', scopes: ['workflows:read', 'executions:write'] });
  await post('/projects', { name: 'Billing' });
  await post('/teams', { name: 'Payments' });
  const teams = await dashboard.api<{ data: readonly Created[] }>('GET', '/v1/teams?order=asc');
  const { invitation } = await post<{ invitation: { readonly url: string } }>(
    `/teams/${teams.data[0]?.id}/members`,
    { email: 'grace@example.com', role: 'member' },
  );

  for (const [id, status] of [
    [completed, 'completed'],
    [base, 'completed'],
    [failed, 'failed'],
    [waiting, 'waiting'],
    [loop, 'completed'],
    [running, 'running'],
    [paused, 'paused'],
    [cancelled, 'cancelled'],
    [late, 'timed_out'],
  ] as const)
    await becomes(id, status);
  const events = await dashboard.api<{
    data: readonly { readonly data: Readonly<Record<string, string>> }[];
  }>('GET', `/v1/executions/${waiting}/events`);
  const link = events.data.find(({ data }) => data['approve_url'] !== undefined)?.data['approve_url'] ?? '';
  return {
    workflow: order,
    draft,
    completed,
    failed,
    waiting,
    paused,
    loop,
    compared: [base, failed],
    session,
    schedule,
    hook: hook.id,
    webhook,
    approval: link.slice(link.lastIndexOf('/') + 1),
    invitation: invitation.url.slice(invitation.url.indexOf('/invitation')),
  };
}
