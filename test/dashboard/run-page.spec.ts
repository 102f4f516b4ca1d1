import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { LayoutShifts } from '../support/layout-shifts.js';

let dashboard: TestDashboard;
let server: FlakyServer;

beforeAll(async () => {
  server = await FlakyServer.start();
  dashboard = await TestDashboard.start({ settings: { EGRESS_ALLOW: server.address } });
  server
    .on('/order', (_, response) => json(response, { id: 7 }))
    .on('/paid', (_, response) => json(response, { paid: true }))
    .on('/broken', (_, response) => json(response, { reason: 'card declined' }, 402));
});

afterAll(async () => {
  await dashboard?.stop();
  await server?.stop();
});

interface Made {
  readonly id: string;
}

async function start(
  nodes: readonly unknown[],
  name = 'order-fulfillment',
  input: unknown = {},
): Promise<string> {
  const workflow = await dashboard.api<Made>('POST', '/v1/workflows', { name, nodes });
  const run = await dashboard.api<Made>('POST', `/v1/workflows/${workflow.id}/executions`, { input });
  return run.id;
}

interface RunNow {
  readonly status: string;
  readonly last_sequence: number;
}

const read = (id: string): Promise<RunNow> => dashboard.api('GET', `/v1/executions/${id}`);

/** Waits until the status of an execution matches a pattern. */
async function becomes(id: string, status: RegExp): Promise<void> {
  await expect.poll(async () => (await read(id)).status).toMatch(status);
}

const ended = (id: string): Promise<void> => becomes(id, /completed|failed/);

const CONNECTION_ERROR = /net::ERR_(CONNECTION_(REFUSED|RESET)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/;

/** Opens the page of an execution and runs `act` on the page. Fails if the page logged errors. */
async function watching(
  path: string,
  act: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const opened = await dashboard.page(options);
  try {
    await opened.goto(`/executions/${path}`);
    await act(opened.page);
    // The browser logs an error for each failed request while the service is down. The page does not cause these
    // errors.
    expect(opened.faults.filter((fault) => !CONNECTION_ERROR.test(fault))).toEqual([]);
  } finally {
    await opened.close();
  }
}

/** Holds back the responses to requests for a path until the test calls the returned function. */
function gate(path: string): () => void {
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  server.on(path, (_, response) => void held.then(() => json(response, { paid: true })));
  return open;
}

/**
 * The nodes of a workflow with parallel branches, a retry and a delay. One node calls the given path of the test
 * server.
 */
const order = (path: string) => [
  { id: 'fetch', name: 'Fetch order', type: 'http', with: { url: server.url('/order') } },
  { id: 'stock', name: 'Check stock', type: 'set', with: { value: '{{ nodes.fetch.output.status }}' } },
  {
    id: 'charge',
    name: 'Charge card',
    type: 'http',
    needs: ['stock'],
    with: { url: server.url(path) },
    retry: { max_attempts: 3, initial_delay_ms: 300, backoff: 'fixed' },
  },
  { id: 'pickup', name: 'Await pickup', type: 'delay', needs: ['stock'], with: { seconds: 1 } },
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

const withoutRetry = (nodes: readonly object[]) => nodes.map((node) => ({ ...node, retry: undefined }));

/** Waits until the page shows the nodes: as a graph on a wide screen, as a tree on a narrow one. */
const drawn = (page: Page): Promise<void> =>
  page.locator('.react-flow__node').or(page.getByRole('treeitem')).first().waitFor();

const inGraph = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('application', { name: /^Graph of nodes/ }).getByRole('button', { name });

const sequences = async (page: Page): Promise<readonly string[]> =>
  (
    await page
      .getByRole('tabpanel')
      .getByText(/^#\d+$/)
      .allTextContents()
  ).toReversed();

const upTo = (last: number): readonly string[] => Array.from({ length: last }, (_, index) => `#${index + 1}`);

const approval = [
  { id: 'request', name: 'The request', type: 'set', with: { value: { amount: 420 } } },
  {
    id: 'decision',
    name: 'Ask for approval',
    type: 'wait',
    needs: ['request'],
    with: { signal: 'decision', approval: { title: 'Expense of Ada', description: '420 is to be paid.' } },
  },
  { id: 'book', name: 'Book it', type: 'set', with: { value: '{{ nodes.decision.output.approved }}' } },
];

const loop = [
  {
    id: 'each',
    name: 'Each parcel',
    type: 'foreach',
    with: {
      items: '{{ input.parcels }}',
      on_error: 'continue',
      nodes: [{ id: 'pack', type: 'set', with: { value: '{{ item.label }}' } }],
    },
  },
];

/** Input items for a loop. The loop fails for one item in a hundred, because that item has no label. */
const parcels = (size: number) =>
  Array.from({ length: size }, (_, index) => (index % 100 === 42 ? {} : { label: `parcel ${index}` }));

/** The nodes of a workflow with three parallel chains. */
const chains = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    id: `step${index}`,
    name: `Step ${index}`,
    type: 'set',
    needs: index < 3 ? [] : [`step${index - 3}`],
    with: { value: index },
  }));

const wide = chains(24);

describe('the execution page', () => {
  it('the execution page shows each step of a running execution until the execution completes', async () => {
    const open = gate('/held');
    const id = await start(order('/held'));
    await watching(id, async (page) => {
      await inGraph(page, /Charge card http.*Running/).waitFor();
      await page.getByText(/^live at event \d+$/).waitFor();
      expect(await page.locator('.run-edge-active').count()).toBe(1);
      expect(await page.locator('.run-edge-skipped').count()).toBe(1);
      const before = await page.locator('[data-live-at]').textContent();
      await page.getByRole('region', { name: 'What the execution is doing' }).getByText('charge').waitFor();
      open();
      await inGraph(page, /Notify set.*Completed/).waitFor();
      await page.getByText('6 / 6').waitFor();
      const { last_sequence } = await read(id);
      expect(await page.locator('[data-live-at]').textContent()).toBe(`complete at event ${last_sequence}`);
      expect(before).not.toBe(`live at event ${last_sequence}`);
      expect(await page.locator('.react-flow__minimap').count()).toBe(0);
    });
  });

  it('the execution page shows all events of an execution although the service crashed and restarted', async () => {
    const open = gate('/crash');
    const id = await start(order('/crash'));
    await watching(id, async (page) => {
      await inGraph(page, /Charge card http.*Running/).waitFor();
      await dashboard.kill();
      await page.getByText(/^connecting, at event \d+$/).waitFor();
      open();
      await dashboard.startAgain();
      await page.getByText('6 / 6').waitFor();
      await page.getByText('Recovered', { exact: true }).waitFor();
      const { last_sequence } = await read(id);
      await page.locator(`[data-live-at="${last_sequence}"]`).waitFor();
      await page.getByRole('tab', { name: 'Events' }).click();
      await expect.poll(() => sequences(page)).toEqual(upTo(last_sequence));
    });
  });

  it('the execution page shows each event once although the socket loses some events and repeats others', async () => {
    const open = gate('/lossy');
    const id = await start(order('/lossy'));
    let lost = 0;
    const opened = await dashboard.page();
    await opened.page.routeWebSocket(/\/ws$/, (socket) => {
      const service = socket.connectToServer();
      service.onMessage((message) => {
        const { sequence, execution_id } = JSON.parse(String(message)) as Partial<Record<string, unknown>>;
        if (execution_id === id && typeof sequence === 'number' && sequence % 2 === 0 && ++lost > 0) return;
        socket.send(message);
        socket.send(message);
      });
    });
    await opened.goto(`/executions/${id}`);
    await inGraph(opened.page, /Charge card http.*Running/).waitFor();
    open();
    await becomes(id, /completed/);
    const { last_sequence } = await read(id);
    await opened.page.getByRole('tab', { name: 'Events' }).click();
    await opened.page
      .locator(`[data-live-at="${last_sequence - 1}"],[data-live-at="${last_sequence}"]`)
      .waitFor();
    await expect
      .poll(async () => (await sequences(opened.page)).length)
      .toBeGreaterThanOrEqual(last_sequence - 1);
    const shown = await sequences(opened.page);
    expect(shown).toEqual(upTo(shown.length));
    expect(lost).toBeGreaterThan(0);
    await opened.close();
  });

  it('the page of an unknown execution shows "not found" and a link to all executions', async () => {
    await watching('0199a8c0-5b5e-77e8-abe9-e0d39f87e583', async (page) => {
      await page.getByText('Execution not found.').waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Show all executions' }).click();
      await page.waitForURL(/\/executions$/);
    });
    await watching('nonsense', async (page) => {
      await page.getByText('Execution not found.').waitFor();
    });
  });

  it('the execution page has no accessibility violation, error or horizontal scrolling', async () => {
    server.on('/card', (_, response, call) =>
      json(response, call === 1 ? { retry_after: 1 } : { paid: true }, call === 1 ? 503 : 200),
    );
    const [done, items, large] = await Promise.all([
      start(order('/card')),
      start(loop, 'parcels', { parcels: parcels(200) }),
      start(wide),
    ]);
    for (const id of [done, items, large]) await ended(id);
    await dashboard.looksRight('execution', `/executions/${done}?node=charge&tab=attempts`, async (page) => {
      await drawn(page);
      await page.getByText('Attempt 2 of 3').waitFor();
    });
    await dashboard.looksRight('execution-items', `/executions/${items}?node=each`, async (page) => {
      await drawn(page);
      await page.getByText('2 failed').waitFor();
    });
    await dashboard.looksRight('execution-large', `/executions/${large}?zoom=0-5`, async (page) => {
      await drawn(page);
      await page.getByRole('button', { name: 'Show the whole timeline' }).waitFor();
    });
  });
});

describe('the page of a failed execution', () => {
  it('the page of a failed execution shows the error and a button that retries from the failed node', async () => {
    server.on('/declines', (_, response, call) =>
      call === 1 ? json(response, { reason: 'card declined' }, 402) : json(response, { paid: true }),
    );
    const id = await start(withoutRetry(order('/declines')));
    await ended(id);
    const calls = server.count('/order');
    await watching(id, async (page) => {
      await page.getByRole('complementary', { name: 'Inspector' }).getByText(/402/).first().waitFor();
      await page.locator('.run-edge-failed').nth(1).waitFor({ state: 'attached' });
      await inGraph(page, /Charge card http.*Failed/).click();
      await page.waitForURL(/node=charge/);
      await page.getByText('retry from this node').waitFor();
      await page.getByText('"card declined"').waitFor();
      // A node that the failed execution never reached is shown as not run, not as pending.
      await inGraph(page, /Notify set · not run/).waitFor();
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      // The menu offers no separate retry from the selected node, because the selected node is the failed node.
      await page.getByRole('menuitem', { name: 'From the failed node', exact: true }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'From Charge card' }).count()).toBe(0);
      await page.getByRole('menuitem', { name: 'From the failed node', exact: true }).click();
      await page.waitForURL((url) => !url.pathname.endsWith(id));
      await page.getByText('6 / 6').waitFor();
    });
    // The retry reuses the stored outputs of nodes before the failed node, so it does not call `/order` again.
    expect(server.count('/order')).toBe(calls);
    expect(server.count('/declines')).toBe(2);
  });
});

describe('the page of an unfinished execution', () => {
  it('a user can pause and resume an execution by button, and cancel and replay it by keyboard shortcut', async () => {
    const id = await start([{ id: 'nap', type: 'delay', with: { seconds: 600 } }], 'nap');
    await watching(id, async (page) => {
      await page.getByText(/^live at event \d+$/).waitFor();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page
        .getByRole('region', { name: 'Why the execution is not progressing' })
        .getByText('The execution was paused.')
        .waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
      await page.getByRole('main').getByText('Cancelled').first().waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('r');
      await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
      await page.waitForURL((url) => !url.pathname.endsWith(id));
      await page.getByText(/^live at event \d+$/).waitFor();
      const again = new URL(page.url()).pathname.split('/').at(-1);
      await dashboard.api('POST', `/v1/executions/${again}/cancel`, {});
    });
  });

  it('a dialog that opens while the service still processes a cancellation stays open', async () => {
    const id = await start([{ id: 'nap', type: 'delay', with: { seconds: 600 } }], 'nap');
    await watching(id, async (page) => {
      await page.getByText(/^live at event \d+$/).waitFor();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route(`**/v1/executions/${id}/cancel`, async (route) => {
        const response = await route.fetch();
        await released;
        await route.fulfill({ response });
      });
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel execution' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('r');
      const replay = page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true });
      await replay.waitFor();
      const answered = page.waitForResponse((response) => response.url().endsWith('/cancel'));
      release();
      await answered;
      await page.waitForLoadState('networkidle');
      expect(await replay.isVisible()).toBe(true);
    });
  });

  it('the execution page shows the approve button only until the user approves', async () => {
    const id = await start(approval);
    await watching(id, async (page) => {
      await inGraph(page, /Ask for approval wait · approval/).waitFor();
      await page.getByText('420 is to be paid.').waitFor();
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect((await read(id)).status).toBe('waiting');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Comment').fill('The receipt is fine.');
      await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText('3 / 3').waitFor();
      await page.getByRole('region', { name: 'output' }).getByText('true').waitFor();
      const nodes = await dashboard.api<{ data: readonly { node_id: string; output: unknown }[] }>(
        'GET',
        `/v1/executions/${id}/nodes`,
      );
      const decision = nodes.data.find(({ node_id }) => node_id === 'decision');
      expect(decision?.output).toMatchObject({ via: 'dashboard', comment: 'The receipt is fine.' });
      expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    });
  });

  it('a user can open a child execution from the page of its parent, and then send a signal to the child', async () => {
    const child = await dashboard.api<Made>('POST', '/v1/workflows', {
      name: 'ship',
      nodes: [{ id: 'pickup', name: 'Await pickup', type: 'wait', with: { signal: 'picked' } }],
    });
    const id = await start([
      { id: 'ship', name: 'Ship it', type: 'workflow', with: { workflow_id: child.id } },
    ]);
    await watching(`${id}?node=ship`, async (page) => {
      const inspector = page.getByRole('complementary', { name: 'Inspector' });
      await inspector.getByText('Waiting for child execution').getByRole('link').click();
      await page.waitForURL((url) => !url.pathname.endsWith(id));
      await inGraph(page, /Await pickup wait · picked/).click();
      await page.getByRole('button', { name: 'Send signal' }).click();
      await page.getByRole('textbox', { name: /Payload/ }).fill('{ "by": "Ada" }');
      await page.getByRole('dialog').getByRole('button', { name: 'Send signal' }).click();
      await page.getByText('1 / 1').waitFor();
      await page.getByRole('region', { name: 'output' }).getByText('"Ada"').waitFor();
      // The page of the child execution links to its parent execution.
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Execution / })
        .click();
      await page.waitForURL((url) => url.pathname.endsWith(id));
      await inGraph(page, /Ship it workflow.*Completed/).click();
      await inspector.getByText('Started child execution').waitFor();
    });
  });
});

describe('the panes of the execution page', () => {
  it('all panes of the execution page select the same node, and a slider shows earlier states of the execution', async () => {
    const id = await start(order('/paid'));
    await ended(id);
    await watching(id, async (page) => {
      await page.getByRole('group', { name: 'Nodes on the timeline' }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(/node=stock/);
      await inGraph(page, /^Check stock/)
        .and(page.locator('[aria-pressed=true]'))
        .waitFor();
      await page.getByRole('button', { name: 'Tree', exact: true }).click();
      const tree = page.getByRole('tree', { name: 'Nodes in order' });
      const node = (name: RegExp, selected: boolean): Locator =>
        tree.getByRole('treeitem', { name, selected });
      await node(/^Check stock/, true).focus();
      // The arrow keys move the focus to the next nodes of the graph.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForURL(/node=notify/);
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await page.waitForURL(/node=fetch/);
      await node(/^Fetch order/, true).waitFor();
      expect(await node(/^Charge card/, false).getAttribute('aria-level')).toBe('2');
      await page.getByText('6 / 6').waitFor();
      await page.getByRole('slider', { name: 'Event shown' }).focus();
      await page.keyboard.press('Home');
      await page.getByText('0 / 6').waitFor();
      await page.getByText('shown up to event 0').waitFor();
      await tree.getByText('Pending').first().waitFor();
      expect(await tree.getByText('Completed').count()).toBe(0);
      await page.keyboard.press('End');
      await page.getByRole('button', { name: 'Back to live' }).click();
      await page.getByText('6 / 6').waitFor();
    });
  });

  it('dragging over the timeline of an execution zooms into the dragged time range', async () => {
    const id = await start(order('/paid'));
    await ended(id);
    await watching(id, async (page) => {
      const axis = page.getByRole('application', { name: /^Timeline\./ });
      const fetching = page.locator('li', { hasText: 'Fetch order' }).locator('span.absolute').first();
      await fetching.waitFor();
      const before = (await fetching.boundingBox())?.width ?? 0;
      const { x = 0, y = 0, width = 0 } = (await axis.boundingBox()) ?? {};
      // Dragging over the rows of the timeline must zoom, and must not count as a click on a row.
      await page.mouse.move(x + 1, y + 60);
      await page.mouse.down();
      await page.mouse.move(x + width / 8, y + 60);
      await page.mouse.move(x + width / 4, y + 60);
      await page.locator('[data-brushed]').waitFor();
      await page.mouse.up();
      await page.waitForURL(/zoom=\d+-\d+$/);
      expect(new URL(page.url()).searchParams.get('node')).toBeNull();
      await expect
        .poll(async () => ((await fetching.boundingBox())?.width ?? 0) / before)
        .toBeGreaterThan(1.5);
      // The bar of a node that ran after the zoomed time range is outside the visible area.
      const later = page.getByRole('listitem').filter({ hasText: 'Notify' }).locator('span.absolute').last();
      expect((await later.boundingBox())?.x).toBeGreaterThan(x + width);
      const to = Number(new URL(page.url()).searchParams.get('zoom')?.split('-')[1]);
      await axis.focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => Number(url.searchParams.get('zoom')?.split('-')[1]) > to);
      await axis.dblclick();
      await page.waitForURL((url) => !url.searchParams.has('zoom'));
      await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
      await page.waitForURL(/zoom=/);
      await page.getByRole('button', { name: 'Zoom out', exact: true }).click();
      await page.waitForURL((url) => !url.searchParams.has('zoom'));
    });
  });

  it('the execution page shows a minimap if the graph has more than 20 nodes', async () => {
    const id = await start(wide);
    await ended(id);
    await watching(id, async (page) => {
      await page.locator('.react-flow__minimap rect').nth(23).waitFor({ state: 'attached' });
      await page.getByRole('application', { name: /^Graph of nodes/ }).press('0');
      await inGraph(page, /^Step 0 /).waitFor();
    });
  });

  it('a user can fit a large execution graph to its pane, hide its minimap and show it in full screen', async () => {
    const id = await start(chains(250));
    await ended(id);
    await watching(id, async (page) => {
      const boxes = page.locator('.react-flow__node');
      await boxes.first().waitFor();
      const before = await boxes.count();
      expect(before).toBeLessThan(200);
      await page.getByRole('button', { name: 'Fit the graph', exact: true }).click();
      await expect.poll(() => boxes.count()).toBe(250);
      await page.getByRole('button', { name: 'Zoom into the graph', exact: true }).focus();
      for (let step = 0; step < 12; step += 1) await page.keyboard.press('Enter');
      await expect.poll(() => boxes.count()).toBeLessThan(250);
      const map = page.getByRole('button', { name: 'Show minimap', exact: true });
      expect(await map.getAttribute('aria-pressed')).toBe('true');
      await map.click();
      await page.locator('.react-flow__minimap').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Full screen', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Leave full screen', exact: true }).click();
      await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
    });
  });

  it('the timeline of a large execution renders only visible rows, and the keyboard reaches every row', async () => {
    const size = 250;
    const id = await start(chains(size));
    await ended(id);
    await watching(id, async (page) => {
      const rows = page.getByRole('group', { name: 'Nodes on the timeline' }).getByRole('listitem');
      await rows.first().waitFor();
      expect(await rows.count()).toBeLessThan(size / 4);
      const last = page.locator('[data-row-focus]:focus', { hasText: `Step ${size - 1}` });
      await expect
        .poll(
          async () => {
            await page.keyboard.press('j');
            return last.count();
          },
          { interval: 1 },
        )
        .toBe(1);
      expect(await rows.count()).toBeLessThan(size / 4);
      // The timeline keeps the focused row in the document after the user scrolls away from it.
      await rows.first().scrollIntoViewIfNeeded();
      await rows.filter({ hasText: 'Step 15' }).first().waitFor();
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`node=step${size - 2}$`));
    });
  });

  it('the execution page lists all items of a large loop with their outcomes, and all events', async () => {
    const size = 1200;
    const id = await start(loop, 'parcels', { parcels: parcels(size) });
    await ended(id);
    const { last_sequence } = await read(id);
    await watching(`${id}?node=each`, async (page) => {
      await page.locator(`[data-live-at="${last_sequence}"]`).waitFor();
      await page.getByText('1,200 of 1,200 items done').waitFor();
      await page.getByText('12 failed').waitFor();
      await page
        .getByRole('region', { name: 'Timeline' })
        .getByTitle('1,200 of 1,200 items done, 12 failed')
        .waitFor();
      expect(await page.locator('.loop-density').getAttribute('style')).toContain('linear-gradient');
      // The number of DOM elements must not grow with the number of loop items.
      expect(await page.locator('*').count()).toBeLessThan(2500);
      const items = page.getByRole('group', { name: '1,200 items' });
      await items.evaluate((list) => list.lastElementChild?.scrollIntoView({ block: 'end' }));
      await page.getByRole('button', { name: /^Item 1199/ }).waitFor();
      await page.getByRole('combobox', { name: 'Show items' }).selectOption('Failed');
      expect(await page.getByRole('button', { name: /^Item \d+/ }).count()).toBe(12);
      await page.getByRole('combobox', { name: 'Show items' }).selectOption('All items');
      await page.getByRole('button', { name: /^Item 1 / }).click();
      await page.waitForURL((url) => url.searchParams.get('node') === 'each[1].pack');
      await page.getByRole('heading', { name: 'pack, item 1' }).waitFor();
      await page.getByRole('region', { name: 'output' }).getByText('"parcel 1"').waitFor();
      await page.getByRole('button', { name: 'Back to the loop' }).click();
      await page.getByRole('button', { name: 'Back to the execution' }).click();
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText(`#${last_sequence}`, { exact: true }).waitFor();
      expect(await page.locator('*').count()).toBeLessThan(2500);
    });
  });

  it('the execution page shows the graph after the first events of a long journal, and loads later events without layout shifts', async () => {
    const id = await start(loop, 'parcels', { parcels: parcels(2_500) });
    await ended(id);
    const { last_sequence } = await read(id);
    const opened = await dashboard.page({ reducedMotion: 'reduce' });
    const { page } = opened;
    try {
      const shifts = await LayoutShifts.watch(page);
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/events\?/, async (route) => {
        if (route.request().headers()['accept'] === 'text/event-stream') await released;
        await route.continue();
      });
      await opened.goto(`/executions/${id}`);
      await page.getByText('shown up to event 100').waitFor();
      await inGraph(page, /Each parcel foreach/).waitFor();
      await page.getByText('Completed', { exact: true }).first().waitFor();
      release();
      await page.getByText(`complete at event ${last_sequence}`).waitFor();
      expect(await shifts.take()).toEqual([]);
      await page.getByRole('tab', { name: 'Events' }).click();
      await page.getByText(`#${last_sequence}`, { exact: true }).waitFor();
      expect(opened.faults).toEqual([]);
    } finally {
      await opened.close();
    }
  });

  it('the execution page scrolls to the details of a selected node on a narrow screen', async () => {
    const id = await start(order('/paid'));
    await ended(id);
    await watching(
      id,
      async (page) => {
        const above = page.getByRole('heading', { name: 'Execution', exact: true });
        const before = (await above.boundingBox())?.y ?? 0;
        await page.getByRole('treeitem', { name: /^Charge card/ }).click();
        const heading = page.getByRole('heading', { name: 'Charge card' });
        await expect
          .poll(async () => (await heading.boundingBox())?.y ?? Infinity)
          .toBeLessThan(before - 100);
      },
      { viewport: { width: 390, height: 844 } },
    );
  });

  it('the execution page stops its animations if the operating system requests reduced motion', async () => {
    const open = gate('/still');
    const id = await start(order('/still'));
    const motion = (page: Page): Promise<string> =>
      page.evaluate("getComputedStyle(document.querySelector('.run-edge-active')).animationName");
    await watching(id, async (page) => {
      await page.locator('.run-edge-active').first().waitFor({ state: 'attached' });
      expect(await motion(page)).toBe('run-edge-flow');
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await motion(page)).toBe('none');
    });
    open();
  });
});
