import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard?.stop());

interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly needs?: readonly string[];
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const ORDERS = {
  input_schema: {
    type: 'object',
    required: ['orders'],
    properties: { orders: { type: 'array', items: { type: 'object' } }, notify: { type: 'boolean' } },
  },
  nodes: [
    { id: 'load', name: 'Load orders', type: 'set', with: { value: '{{ input.orders }}' } },
    {
      id: 'each',
      name: 'For each order',
      type: 'foreach',
      with: {
        items: '{{ nodes.load.output }}',
        nodes: [
          { id: 'price', type: 'set', with: { value: '{{ item.price * item.quantity }}' } },
          { id: 'note', type: 'set', if: 'item.price > 100', with: { value: '{{ nodes.price.output }}' } },
        ],
      },
    },
    {
      id: 'report',
      name: 'Send the report',
      type: 'set',
      needs: ['each'],
      if: 'input.notify',
      with: { value: 1 },
    },
  ],
};

const create = (name: string, definition: object = ORDERS) =>
  dashboard.api<Workflow>('POST', '/v1/workflows', { name, ...definition });
const read = (id: string) => dashboard.api<Workflow>('GET', `/v1/workflows/${id}`);

async function onPage(
  path: string,
  act: (page: Page, opened: DashboardPage) => Promise<void>,
): Promise<void> {
  const opened = await dashboard.page({ viewport: { width: 1440, height: 900 } });
  try {
    await opened.goto(path);
    await opened.page.getByRole('searchbox', { name: 'Search node types' }).waitFor();
    // The browser cannot click nodes outside the visible area of the graph, so the page first fits the graph into this
    // area.
    await opened.page.getByRole('button', { name: 'Fit the graph' }).click();
    await act(opened.page, opened).catch((error: unknown) => {
      throw new Error(`The page reported ${opened.faults.join('; ') || 'nothing'}.`, { cause: error });
    });
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

const graph = (page: Page) => page.getByRole('group', { name: /^Graph\./ });
const node = (page: Page, key: string): Locator => graph(page).locator(`[data-node="${key}"]`);
const edges = (page: Page) => graph(page).locator('.react-flow__edge');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search node types' });
const completion = (page: Page, text: RegExp) =>
  page.locator('.cm-tooltip-autocomplete li').filter({ hasText: text }).first();
const save = (page: Page) => page.getByRole('button', { name: 'Save version' });

async function dragTo(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('The element to drag is not on the page.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

describe('the workflow builder', () => {
  it('the builder opens with the name that the user typed in the dialog "Create workflow"', async () => {
    const { page, goto, close } = await dashboard.page();
    await goto('/workflows');
    await page.getByRole('button', { name: 'Create workflow' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create workflow' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('named-before');
    await dialog.getByRole('radio', { name: 'Empty' }).check();
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    const name = page.getByRole('textbox', { name: 'Workflow name' });
    await expect.poll(() => name.inputValue()).toBe('named-before');
    await close();
  });

  it('a user can create a workflow in the builder with the keyboard only', () =>
    onPage('/workflows/new', async (page) => {
      await page.getByRole('textbox', { name: 'Workflow name' }).focus();
      await page.keyboard.type('made-by-keys');
      await search(page).focus();
      await page.keyboard.type('set');
      await page.keyboard.press('Enter');
      await node(page, 'set').waitFor();
      await page.keyboard.type('delay');
      await page.keyboard.press('Enter');
      await node(page, 'delay').waitFor();
      await page.keyboard.type('set');
      await page.keyboard.press('Enter');
      await node(page, 'set_2').waitFor();
      expect(await edges(page).count()).toBe(2);

      await node(page, 'set_2').focus();
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => page.evaluate('document.activeElement.dataset.node')).toBe('delay');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('c');
      await page.getByText('Connecting from set.').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await expect.poll(() => edges(page).count()).toBe(3);

      const button = page.getByRole('button', { name: 'Create workflow' });
      await expect.poll(() => button.isEnabled()).toBe(true);
      // The second press must not create a second workflow.
      await page.keyboard.press('Control+s');
      await page.keyboard.press('Control+s');
      await page.waitForURL('**/edit');
      const made = await dashboard.api<{ data: readonly { name: string }[] }>(
        'GET',
        '/v1/workflows?limit=100',
      );
      expect(made.data.filter(({ name: each }) => each === 'made-by-keys')).toHaveLength(1);
      const id = new URL(page.url()).pathname.split('/').at(-2) ?? '';
      const { name, nodes } = await read(id);
      expect(name).toBe('made-by-keys');
      expect(nodes.map(({ id: each, needs = [] }) => [each, needs])).toEqual([
        ['set', []],
        ['delay', ['set']],
        ['set_2', ['delay', 'set']],
      ]);
    }));

  it('a user can add, connect, disconnect and delete nodes in the builder with the mouse', async () => {
    const { id } = await create('by-mouse');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'each/note').waitFor();
      await page.getByText('if item.price > 100').waitFor();
      await page
        .getByRole('button', { name: /^Add Fail/ })
        .dragTo(graph(page), { targetPosition: { x: 120, y: 60 } });
      await node(page, 'fail').waitFor();
      const ports = (key: string, side: string) =>
        graph(page).locator(`.react-flow__node[data-id="${key}"] .react-flow__handle-${side}`);
      await dragTo(page, ports('load', 'right'), ports('fail', 'left'));
      await expect.poll(() => edges(page).count()).toBe(4);
      await page.getByRole('listitem').filter({ hasText: 'load' }).first().waitFor();
      await page.getByRole('button', { name: 'Remove connection from load' }).click();
      await expect.poll(() => edges(page).count()).toBe(3);
      await page.getByRole('button', { name: 'Delete the node' }).click();
      await node(page, 'fail').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Fit the graph' }).click();
      await node(page, 'report').click();
      await page.getByRole('button', { name: 'Remove connection from each' }).click();
      await page.getByText('The node runs when the execution starts.').waitFor();
      await page.getByRole('combobox', { name: 'Connect from a node' }).selectOption('load');
      await expect.poll(() => edges(page).count()).toBe(3);
      await expect.poll(() => save(page).isEnabled()).toBe(true);
      await save(page).click();
      await page.getByText('v2', { exact: true }).waitFor();
    });
    expect((await read(id)).nodes.at(-1)?.needs).toEqual(['load']);
  });

  it('the builder refuses a connection that would create a cycle, and shows the reason', async () => {
    const { id } = await create('cycle');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'load').click();
      await page.getByRole('combobox', { name: 'Connect from a node' }).selectOption('report');
      await page.getByText(/"report" already runs after "load"/).waitFor();
    });
  });

  it('the builder renames a node in all expressions that refer to it, and can undo and redo the change', async () => {
    const { id } = await create('renamed');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'load').click();
      const field = page.getByRole('textbox', { name: 'ID' });
      await field.fill('each');
      await field.press('Enter');
      await page.getByText('Another node has the ID "each".').waitFor();
      const data = page.getByRole('textbox', { name: 'Data' });
      await data.fill('{ "input": 7 }');
      await field.fill('orders');
      await field.press('Enter');
      await node(page, 'orders').waitFor();
      await expect
        .poll(() => field.evaluate((element) => element === element.ownerDocument.activeElement))
        .toBe(true);
      expect(await data.inputValue()).toBe('{ "input": 7 }');
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.getByText('{{ nodes.orders.output }}').waitFor();
      await page.keyboard.press('Control+z');
      await node(page, 'load').waitFor();
      await page.getByText('{{ nodes.load.output }}').waitFor();
      await page.getByRole('button', { name: 'Redo' }).click();
      await node(page, 'orders').waitFor();
    });
  });

  it('the builder gives a new id to a node that the user copies and pastes', async () => {
    const { id } = await create('copied');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'report').click();
      await page.keyboard.press('Control+c');
      await page.keyboard.press('Control+v');
      await node(page, 'report_2').waitFor();
      await page.keyboard.press('Delete');
      await node(page, 'report_2').waitFor({ state: 'detached' });
    });
  });

  it('in the builder, a user can drag a node into a loop, and move the node out of the loop with the form of the node', async () => {
    const { id } = await create('moved');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await page.getByRole('button', { name: 'Fit the graph' }).click();
      await dragTo(page, node(page, 'report'), node(page, 'each/note'));
      await node(page, 'each/report').waitFor();
      await node(page, 'each/report').click();
      await page.getByText('Retries, timeout, and errors').click();
      await page.getByRole('combobox', { name: 'Inside' }).selectOption('');
      await node(page, 'report').waitFor();
    });
  });

  it('the builder shows a workflow and its problems both as a graph and as JSON', async () => {
    const { id } = await create('in-step');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await page.getByRole('tab', { name: 'JSON' }).click();
      const editor = page.getByRole('textbox', { name: 'Definition' });
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(
        '{"nodes": [{"id": "one", "type": "set", "with": {"value": "{{ nodes.two.output }}"}}]}',
      );
      await node(page, 'one').waitFor();
      await node(page, 'load').waitFor({ state: 'detached' });
      await node(page, 'one').getByLabel('1 problem').waitFor();
      await page.locator('.cm-lintRange-error').first().waitFor();
      await page.getByRole('tab', { name: 'Problems (1)' }).click();
      await page.getByRole('button', { name: /nodes\[0\]/ }).click();
      const field = page.getByRole('textbox', { name: 'Value' });
      await field.waitFor();
      expect(await save(page).isDisabled()).toBe(true);
      await field.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('fixed');
      await expect.poll(() => save(page).isEnabled()).toBe(true);
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.getByText('"value": "fixed"').waitFor();

      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('{"nodes": [');
      await page
        .getByText('The graph shows the last valid definition. Fix the JSON to edit the graph.')
        .waitFor();
      await node(page, 'one').waitFor();
      expect(await search(page).isDisabled()).toBe(true);
    });
  });

  it('the builder finds and marks problems in a workflow while the service does not respond', async () => {
    const { id } = await create('checked-locally');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      let isValidating = false;
      await page.route('**/v1/workflows/validate', () => void (isValidating = true));
      await node(page, 'report').click();
      const condition = page.getByRole('textbox', { name: 'Condition' });
      await condition.click();
      await page.keyboard.press('End');
      await page.keyboard.type('_ == secret');
      await node(page, 'report').getByLabel('1 problem').waitFor();

      await node(page, 'load').click();
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.getByRole('textbox', { name: 'Definition' }).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(
        JSON.stringify({
          nodes: [
            { id: 'a', type: 'http', needs: ['b'], with: { method: 'BREW' } },
            { id: 'b', type: 'set', needs: ['a'], with: { value: '{{ nodes.c.output }}' } },
            { id: 'b', type: 'unknown' },
          ],
        }),
      );
      await page.getByRole('tab', { name: 'Problems (6)' }).click();
      const list = page.getByRole('region', { name: 'Problems' });
      await list.getByText('Is required.').waitFor();
      await list.getByText('These nodes depend on each other: a -> b -> a.').waitFor();
      expect(await save(page).isDisabled()).toBe(true);
      await expect.poll(() => isValidating).toBe(true);
    });
  });

  it('the builder suggests fields, node types and expressions while the user types', async () => {
    const { id } = await create('completed');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'report').click();
      const condition = page.getByRole('textbox', { name: 'Condition' });
      await condition.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('input.no');
      await completion(page, /notify/).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => condition.textContent()).toBe('input.notify');

      const value = page.getByRole('textbox', { name: 'Value' });
      await value.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('{{ nodes.');
      await completion(page, /^load/).waitFor();
      await page.keyboard.press('Escape');

      await page.getByRole('tab', { name: 'JSON' }).click();
      const editor = page.getByRole('textbox', { name: 'Definition' });
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('{"nodes": [{"id": "one", "type": ""}]}');
      for (let back = 0; back < 4; back += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('h');
      await completion(page, /"http"/).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+f');
      await page.getByRole('textbox', { name: 'Find' }).waitFor();
    });
  });

  it('the builder shows the value of an expression for the last execution, or the syntax error of the expression', async () => {
    const { id } = await create('valued');
    await dashboard.api('POST', `/v1/workflows/${id}/executions?wait=60`, {
      input: { orders: [{ price: 3, quantity: 2 }], notify: true },
    });
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'report').click();
      const condition = page.getByRole('textbox', { name: 'Condition' });
      await page.getByRole('status', { name: 'Value in the last execution' }).getByText('true').waitFor();
      await condition.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('size(nodes.load.output) + 4');
      await page.getByRole('status', { name: 'Value in the last execution' }).getByText('5').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('input.notify &&');
      await page
        .getByText(/Syntax error at character 16/)
        .first()
        .waitFor();
      await page.locator('.cm-lintPoint-error').waitFor({ state: 'attached' });
    });
  });

  it('the builder tests a node with unsaved parameters without creating an execution', async () => {
    const { id } = await create('tested');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'load').click();
      const value = page.getByRole('textbox', { name: 'Value' });
      await value.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('{{ input.orders.size() }}');
      await page.getByRole('textbox', { name: 'Data' }).fill('{ "input": { "orders": [1, 2, 3] } }');
      await page.getByRole('button', { name: 'Run test' }).press('Enter');
      const result = page.getByRole('status', { name: 'Test result' });
      await result.getByText('Completed').waitFor();
      await result.getByText('3', { exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Data' }).fill('{ "input": {} }');
      await page.getByRole('button', { name: 'Run test' }).click();
      await result.getByText(/input\.orders/).waitFor();
      await search(page).fill('http');
      await search(page).press('Enter');
      await page.getByText('Save the workflow before testing this node.').waitFor();
    });
    const { pagination } = await dashboard.api<{ pagination: { total: number } }>(
      'GET',
      `/v1/workflows/${id}/executions`,
    );
    expect(pagination.total).toBe(0);
  });

  it('the builder warns that a node test has effects before the test runs', async () => {
    const { id } = await create('effects', {
      nodes: [{ id: 'call', type: 'http', with: { url: 'http://127.0.0.1:9/' } }],
    });
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await node(page, 'call').click();
      await page.getByRole('button', { name: 'Run test' }).click();
      await page.getByText(/really runs the node/).waitFor();
      expect(await page.getByRole('status', { name: 'Test result' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Run with effects' }).click();
      await page.getByRole('status', { name: 'Test result' }).getByText('Failed').waitFor();
    });
  });

  it('after the builder has saved JSON without line breaks, it can save a further change', async () => {
    const { id } = await create('own-layout', { nodes: [{ id: 'one', type: 'set', with: { value: 1 } }] });
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await page.getByRole('tab', { name: 'JSON' }).click();
      const write = async (value: number): Promise<void> => {
        await page.getByRole('textbox', { name: 'Definition' }).click();
        await page.keyboard.press('Control+a');
        const nodes = [{ id: 'one', type: 'set', with: { value } }];
        await page.keyboard.insertText(JSON.stringify({ nodes }));
        await save(page).click();
        await page.getByText(`Saved as version ${value}`).first().waitFor();
        await expect.poll(() => save(page).isDisabled()).toBe(true);
      };
      await write(2);
      await write(3);
    });
    expect((await read(id)).version).toBe(3);
  });

  it('the builder asks for confirmation before the user leaves it with unsaved changes', async () => {
    const { id } = await create('left');
    await onPage(`/workflows/${id}/edit`, async (page) => {
      await search(page).fill('set');
      await search(page).press('Enter');
      await page.getByText('unsaved changes').waitFor();
      await page.getByRole('link', { name: 'Close' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Stay').click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: 'Close' }).click();
      await page.getByRole('heading', { level: 1, name: 'left' }).waitFor();
    });
    expect((await read(id)).version).toBe(1);
  });

  it('the graph view of the builder with an open node form has no accessibility violation, error or horizontal scrolling', async () => {
    const { id } = await create('drawn');
    await dashboard.looksRight('builder', `/workflows/${id}/edit`, async (page) => {
      await node(page, 'each').waitFor();
      await node(page, 'report').click();
      await page.getByRole('textbox', { name: 'Condition' }).waitFor();
    });
  });

  it('the JSON view of the builder has no accessibility violation, error or horizontal scrolling', async () => {
    const { id } = await create('as-json', { nodes: [{ id: 'one', type: 'set', with: { value: 1 } }] });
    await dashboard.looksRight('builder-json', `/workflows/${id}/edit`, async (page) => {
      await page.getByRole('tab', { name: 'JSON' }).click();
      await page.getByRole('textbox', { name: 'Definition' }).waitFor();
    });
  });
});
