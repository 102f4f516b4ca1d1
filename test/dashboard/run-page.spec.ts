import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { FlakyServer, json } from '../support/flaky-server.js';

let dashboard: TestDashboard;
let server: FlakyServer;

beforeAll(async () => {
  server = await FlakyServer.start();
  dashboard = await TestDashboard.start({ settings: { EGRESS_ALLOW: server.address } });
}, 120_000);

afterAll(async () => {
  await dashboard?.stop();
  await server?.stop();
});

interface Made {
  readonly id: string;
}

async function start(
  nodes: readonly unknown[],
  name = 'order-fulfilment',
  input: unknown = {},
): Promise<string> {
  const workflow = await dashboard.api<Made>('POST', '/v1/workflows', { name, nodes });
  const run = await dashboard.api<Made>('POST', `/v1/workflows/${workflow.id}/executions`, { input });
  return run.id;
}

async function ended(id: string): Promise<void> {
  await expect
    .poll(async () => (await dashboard.api<{ status: string }>('GET', `/v1/executions/${id}`)).status, {
      timeout: 20_000,
    })
    .toMatch(/completed|failed/);
}

/** An order: parallel branches, a retry, a wait. */
const order = (path: string) => [
  { id: 'fetch', name: 'Fetch order', type: 'http', with: { url: server.url('/order') } },
  { id: 'stock', name: 'Check stock', type: 'set', with: { value: '{{ nodes.fetch.output.status }}' } },
  {
    id: 'charge',
    name: 'Charge card',
    type: 'http',
    needs: ['stock'],
    with: { url: server.url(path) },
    retry: { max_attempts: 3, initial_delay_ms: 600, backoff: 'fixed' },
  },
  { id: 'pickup', name: 'Await pickup', type: 'delay', needs: ['stock'], with: { seconds: 2 } },
  {
    id: 'gift',
    name: 'Wrap as a gift',
    type: 'set',
    needs: ['stock'],
    if: 'false',
    with: { value: 1 },
  },
  { id: 'notify', name: 'Notify', type: 'set', needs: ['charge', 'pickup'], with: { value: { told: true } } },
];

/** Fails at once. */
const withoutRetry = (nodes: readonly object[]) => nodes.map((node) => ({ ...node, retry: undefined }));

/** Wide screens draw the graph, narrow ones list its nodes. */
const drawn = (page: Page) => page.getByRole('button', { name: /^Fetch order http/ }).waitFor();

const eventsShown = (page: Page) => page.locator('[data-live-at]').textContent();

describe('a run', () => {
  it('is watched to its end', { timeout: 120_000 }, async () => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    server
      .on('/order', (_, response) => json(response, { id: 7 }))
      .on('/held', (_, response) => void held.then(() => json(response, { paid: true })));
    const id = await start(order('/held'));
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}`);
    await page.getByRole('button', { name: /Charge card http.*Running/ }).waitFor();
    await page.getByText(/^\d+, live$/).waitFor();
    const before = await eventsShown(page);
    await page.screenshot({ path: 'coverage/dashboard/run-live.png' });
    open();
    await page.getByRole('button', { name: /Notify set.*Completed/ }).waitFor();
    await page.getByText('6 / 6').waitFor();
    expect(await eventsShown(page)).not.toBe(before);
    const run = await dashboard.api<{ last_sequence: number }>('GET', `/v1/executions/${id}`);
    expect(await page.locator('[data-live-at]').getAttribute('data-live-at')).toBe(String(run.last_sequence));
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('is followed through a crash of the service', { timeout: 120_000 }, async () => {
    let open = (): void => undefined;
    const held = new Promise<void>((resolve) => (open = resolve));
    server
      .on('/order', (_, response) => json(response, { id: 7 }))
      .on('/crash', (_, response) => void held.then(() => json(response, { paid: true })));
    const id = await start(order('/crash'));
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}`);
    await page.getByRole('button', { name: /Charge card http.*Running/ }).waitFor();
    await dashboard.kill();
    await page.getByText(/^\d+, connecting$/).waitFor();
    open();
    await dashboard.startAgain();
    await page.getByText('6 / 6').waitFor({ timeout: 60_000 });
    await page.getByText('Recovered', { exact: true }).waitFor();
    const { last_sequence } = await dashboard.api<{ last_sequence: number }>('GET', `/v1/executions/${id}`);
    await page.locator(`[data-live-at="${last_sequence}"]`).waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    const shown = await page
      .getByRole('tabpanel')
      .getByText(/^#\d+$/)
      .allTextContents();
    expect(shown.toReversed()).toEqual(Array.from({ length: last_sequence }, (_, index) => `#${index + 1}`));
    await opened.close();
  });

  it('looks right', { timeout: 240_000 }, async () => {
    server
      .on('/order', (_, response) => json(response, { id: 7 }))
      .on('/card', (_, response, call) =>
        json(response, call === 1 ? { retry_after: 1 } : { paid: true }, call === 1 ? 503 : 200),
      );
    const done = await start(order('/card'));
    await ended(done);
    await dashboard.looksRight('execution', `/executions/${done}?node=charge`, drawn);
    await dashboard.looksRight('execution-attempts', `/executions/${done}?node=charge&tab=attempts`, (page) =>
      page.getByText('Attempt 2 of 3').waitFor(),
    );
    server.on('/broken', (_, response) => json(response, { reason: 'card declined' }, 402));
    const failed = await start(withoutRetry(order('/broken')));
    await ended(failed);
    await dashboard.looksRight('execution-failed', `/executions/${failed}`, drawn);
  });
});

describe('a run that failed', () => {
  it('is understood, and retried from the node that failed', { timeout: 120_000 }, async () => {
    server
      .on('/order', (_, response) => json(response, { id: 7 }))
      .on('/declines', (_, response, call) =>
        call === 1 ? json(response, { reason: 'card declined' }, 402) : json(response, { paid: true }),
      );
    const id = await start(withoutRetry(order('/declines')));
    await ended(id);
    const calls = server.count('/order');
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}`);
    await page.getByRole('complementary', { name: 'Inspector' }).getByText(/402/).first().waitFor();
    await page.getByRole('button', { name: /Charge card http.*Failed/ }).click();
    await page.waitForURL(/node=charge/);
    await page.getByText('retry from this node').waitFor();
    await page.getByText('"card declined"').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('menuitem', { name: 'From the failed node' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('6 / 6').waitFor();
    // What was done before the failed node was taken over.
    expect(server.count('/order')).toBe(calls);
    expect(server.count('/declines')).toBe(2);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('is replayed and cancelled by keys, which ask first', { timeout: 120_000 }, async () => {
    const id = await start([{ id: 'nap', type: 'delay', with: { seconds: 600 } }], 'nap');
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}`);
    await page.getByText(/^\d+, live$/).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('main').getByText('Cancelled').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText(/^\d+, live$/).waitFor();
    const again = new URL(page.url()).pathname.split('/').at(-1);
    await dashboard.api('POST', `/v1/executions/${again}/cancel`, {});
    await opened.close();
  });
});

describe('the panes', () => {
  it('select together, go back in time, and work by keyboard', { timeout: 120_000 }, async () => {
    server
      .on('/order', (_, response) => json(response, { id: 7 }))
      .on('/keys', (_, response) => json(response, { paid: true }));
    const id = await start(order('/keys'));
    await ended(id);
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}`);
    const inTime = page.getByRole('list', { name: 'Nodes in time' });
    await inTime.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/node=stock/);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const list = page.getByRole('list', { name: 'Nodes in order' });
    await list.getByRole('button', { name: /Check stock/, pressed: true }).waitFor();
    await page.getByText('6 / 6').waitFor();
    const scrubber = page.getByRole('slider', { name: 'Event of the journal' });
    await scrubber.focus();
    await page.keyboard.press('Home');
    await page.getByText('0 / 6').waitFor();
    await list.getByText('Pending').first().waitFor();
    expect(await list.getByText('Completed').count()).toBe(0);
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('6 / 6').waitFor();
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('show the items of a loop', { timeout: 120_000 }, async () => {
    const id = await start(
      [
        {
          id: 'each',
          name: 'Each parcel',
          type: 'foreach',
          with: {
            items: '{{ input.parcels }}',
            nodes: [{ id: 'pack', type: 'set', with: { value: '{{ item }}' } }],
          },
        },
      ],
      'parcels',
      { parcels: ['a', 'b', 'c'] },
    );
    await ended(id);
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}?node=each`);
    await page.getByText('3 of 3 done').waitFor();
    await page.getByRole('button', { name: /Item 1/ }).click();
    await page.waitForURL((url) => url.searchParams.get('node') === 'each[1].pack');
    await page.getByRole('heading', { name: 'pack, item 1' }).waitFor();
    await page.getByRole('group', { name: 'output' }).getByText('"b"').waitFor();
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('stay usable with thousands of events', { timeout: 240_000 }, async () => {
    const id = await start(
      [
        {
          id: 'each',
          type: 'foreach',
          with: {
            items: '{{ input.numbers }}',
            max_concurrency: 10,
            nodes: [{ id: 'keep', type: 'set', with: { value: '{{ item }}' } }],
          },
        },
      ],
      'many',
      { numbers: Array.from({ length: 1000 }, (_, index) => index) },
    );
    const opened = await dashboard.page();
    const { page } = opened;
    await opened.goto(`/executions/${id}?node=each&tab=events`);
    await ended(id);
    const { last_sequence } = await dashboard.api<{ last_sequence: number }>('GET', `/v1/executions/${id}`);
    await page.locator(`[data-live-at="${last_sequence}"]`).waitFor({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Items' }).click();
    await page.getByText('1,000 of 1,000 done').waitFor();
    // What is drawn does not grow with the run.
    expect(await page.locator('*').count()).toBeLessThan(3000);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });
});
