import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { ReplayDialog } from '../support/replay-dialog.js';

let dashboard: TestDashboard;
let workflow: string;
let source: string;

interface Made {
  readonly id: string;
}
interface Execution extends Made {
  readonly input: unknown;
  readonly retry_of: string | null;
  readonly workflow_version: number;
}

/** Returns the definition of a workflow. Its input must have one number, in the field with the given name. */
const definition = (name: string) => ({
  nodes: [{ id: 'only', type: 'set', with: { value: `{{ input.${name} }}` } }],
  input_schema: { type: 'object', required: [name], properties: { [name]: { type: 'number' } } },
});

const start = async (id: string, input: unknown): Promise<string> =>
  (await dashboard.api<Made>('POST', `/v1/workflows/${id}/executions?wait=60`, { input })).id;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  workflow = (await dashboard.api<Made>('POST', '/v1/workflows', { name: 'priced', ...definition('total') }))
    .id;
  source = await start(workflow, { total: 12 });
  for (const name of ['amount', 'price'])
    await dashboard.api('PATCH', `/v1/workflows/${workflow}`, definition(name));
});

afterAll(() => dashboard?.stop());

async function watching(id: string, act: (page: Page) => Promise<void>): Promise<void> {
  const opened = await dashboard.page();
  try {
    await opened.goto(`/executions/${id}`);
    await act(opened.page);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

/** Waits until the page leaves the execution `id`, and reads the execution that the page then shows. */
async function openedAfter(page: Page, id: string): Promise<Execution> {
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  return dashboard.api('GET', `/v1/executions/${new URL(page.url()).pathname.split('/').at(-1)}`);
}

it('a user can replay an execution with a changed input that matches the input schema of the workflow version', () =>
  watching(source, async (page) => {
    const replay = new ReplayDialog(page);
    await replay.opener.click();
    await replay.input.getByText('12').waitFor();
    expect(await replay.version.locator('option').allTextContents()).toEqual([
      'v3 · current',
      'v2',
      'v1 · used by this execution',
    ]);
    await replay.input.click();
    await replay.type('{ "total": "many" }');
    await replay.button('Replay').click();
    await replay.dialog.getByRole('button', { name: /^total Must be a number, not a string/ }).click();
    await replay.button('Use recorded input').click();
    await replay.input.getByText('12').waitFor();
    await replay.input.click();
    await replay.type('{ "total": 13 }');
    await replay.button('Replay').click();
    expect(await openedAfter(page, source)).toMatchObject({
      input: { total: 13 },
      retry_of: source,
      workflow_version: 1,
    });
    await page.goto(`${dashboard.url}/dashboard/executions/${source}`);
    const figure = page.locator('dl > div').filter({ hasText: 'Replays and retries' });
    await figure.getByRole('link', { name: '1', exact: true }).click();
    await page.waitForURL(`**/executions?retry_of=${source}`);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  }));

it('a user can replay an execution on another version of its workflow with the keyboard', async () => {
  const id = await start(workflow, { price: 3 });
  await watching(id, async (page) => {
    const replay = new ReplayDialog(page);
    await replay.opener.waitFor();
    await page.keyboard.press('r');
    await replay.version.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('v2');
    await replay.input.waitFor();
    await page.keyboard.press('Tab');
    await replay.type('{ "amount": ');
    await replay.dialog.getByText('This is not valid JSON.').waitFor();
    expect(await replay.button('Replay').isDisabled()).toBe(true);
    await page.keyboard.insertText('7 }');
    await replay.button('Replay').focus();
    await page.keyboard.press('Enter');
    expect(await openedAfter(page, id)).toMatchObject({
      input: { amount: 7 },
      retry_of: id,
      workflow_version: 2,
    });
  });
});

it('the replay dialog sends a large input completely', async () => {
  const text = 'x'.repeat(60_000);
  const { id: long } = await dashboard.api<Made>('POST', '/v1/workflows', {
    name: 'long',
    nodes: [{ id: 'only', type: 'set', with: { value: 1 } }],
  });
  const id = await start(long, { text });
  await watching(id, async (page) => {
    const replay = new ReplayDialog(page);
    await replay.opener.click();
    await replay.input.getByText('"text"').waitFor();
    await replay.button('Replay').click();
    const again = await openedAfter(page, id);
    expect(await dashboard.api('GET', `/v1/executions/${again.id}/events/1/input`)).toEqual({ text });
  });
});

it('the replay dialog has no accessibility violation, error or horizontal scrolling', () =>
  dashboard.looksRight('execution-replay', `/executions/${source}`, async (page) => {
    const replay = new ReplayDialog(page);
    await replay.opener.click();
    await replay.input.waitFor();
    await replay.dialog.getByText('Input schema of v1').click();
    await replay.dialog.getByText('required').waitFor();
  }));
