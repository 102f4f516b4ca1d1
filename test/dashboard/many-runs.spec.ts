import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CompareDialog } from '../support/compare-dialog.js';
import { TestDashboard } from '../support/dashboard.js';
import { Keyboard } from '../support/keyboard.js';

let dashboard: TestDashboard;
let branching: string;
let failing: string;
let base: string;
let other: string;

interface Made {
  readonly id: string;
}

const workflow = async (name: string, nodes: readonly object[]): Promise<string> =>
  (await dashboard.api<Made>('POST', '/v1/workflows', { name, nodes })).id;
const run = async (id: string, input: unknown): Promise<string> =>
  (await dashboard.api<Made>('POST', `/v1/workflows/${id}/executions?wait=60`, { input })).id;

async function onPage(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const opened = await dashboard.page();
  try {
    await opened.goto(path);
    await look(opened.page);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  branching = await workflow('branching', [
    { id: 'check', type: 'set', with: { value: '{{ input.total }}' } },
    { id: 'charge', type: 'set', needs: ['check'], if: 'input.total < 100', with: { value: 'charged' } },
    { id: 'refuse', type: 'set', needs: ['check'], if: 'input.total >= 100', with: { value: 'refused' } },
  ]);
  failing = await workflow('failing', [
    { id: 'stop', type: 'fail', with: { message: 'Card {{ input.card }} refused' } },
  ]);
  [base, other] = [await run(branching, { total: 12 }), await run(branching, { total: 150 })];
  for (const card of [1, 2, 3]) await run(failing, { card });
});

afterAll(() => dashboard?.stop());

it('the dashboard compares two selected executions side by side', async () => {
  await onPage(`/executions?workflow=${branching}`, async (page) => {
    for (const id of [base, other]) await page.getByLabel(new RegExp(id.slice(-8))).check();
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/executions\/compare\?base=/);
    await page.getByRole('region', { name: 'Input' }).getByText('/total').waitFor();
    const path = page.getByRole('region', { name: 'Path taken' });
    await path.getByText('Only in base execution').waitFor();
    await path.getByText('Only in other execution').waitFor();
    expect(await page.getByRole('region', { name: 'Key figures' }).getByText('Completed').count()).toBe(2);
  });
});

it('the graph of a comparison marks the nodes that only one of the two executions ran', async () => {
  await onPage(`/executions/${other}`, async (page) => {
    const compare = new CompareDialog(page);
    await compare.opener.click();
    await expect.poll(() => compare.choices.count()).toBe(1);
    await compare.choices.first().click();
    await page.waitForURL(`**/executions/compare?base=${base}&other=${other}`);
    const graph = page.getByRole('region', { name: 'Nodes of both executions' });
    const marked = graph.getByRole('button', { name: /Only in/ });
    await expect
      .poll(() => marked.allTextContents())
      .toEqual(['chargeOnly in base execution', 'refuseOnly in other execution']);
    await graph.getByRole('button', { name: 'check set', exact: true }).click();
    await page.getByRole('heading', { name: 'Output of check', exact: true }).waitFor();
  });
});

it('a user can find the second execution of a comparison by the start of its id, with the keyboard', async () => {
  const third = await run(branching, { total: 13 });
  await onPage(`/executions/${third}`, async (page) => {
    const compare = new CompareDialog(page);
    await compare.opener.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => compare.choices.count()).toBe(2);
    await compare.search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('ffffffff');
    await compare.dialog.getByText('No matching executions', { exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(base.slice(0, 23));
    await expect.poll(() => compare.choices.count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/executions/compare?base=${base}&other=${third}`);
    await page.getByText('Only in base execution').waitFor({ state: 'detached' });
  });
});

it('a user can show the differences of a node and swap the compared executions with the keyboard', async () => {
  await onPage(`/executions/compare?base=${base}&other=${other}`, async (page) => {
    await page.getByRole('region', { name: 'Path taken' }).locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Output of check' }).waitFor();
    await page.getByRole('button', { name: 'Swap sides' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`base=${other}`));
    await page.getByRole('switch', { name: 'Show only differences' }).focus();
    await page.keyboard.press('Space');
    await page.waitForURL(/all=yes/);
  });
});

it('with the keyboard only, a user can retry all executions that match the filters', async () => {
  await onPage(`/executions?workflow=${failing}`, async (page) => {
    const keyboard = new Keyboard(page);
    const menu = page.getByRole('button', { name: 'All matching' });
    await keyboard.press(menu);
    const retry = page.getByRole('menuitem', { name: 'Retry all…' });
    await retry.waitFor();
    await page.keyboard.press('End');
    await keyboard.isOn(retry);
    await page.keyboard.press('Enter');
    await keyboard.press(page.getByRole('button', { name: 'Retry 3 executions' }));
    await page.getByText('3 of 3 processed · 3 succeeded, 0 failed').waitFor();
    await page.keyboard.press('Escape');
    await keyboard.isOn(menu);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(6);
  });
});

it('the failures page groups failed executions by cause, and links to the latest one of each group', async () => {
  await onPage('/failures', async (page) => {
    await page.getByRole('link', { name: /Card \d+ refused/ }).click();
    await page.waitForURL(/\/executions\/[0-9a-f-]{36}/);
  });
});

it('the dashboard uses the time zone and the number of rows per page that the user has chosen', async () => {
  await onPage('/settings/profile', async (page) => {
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('Rows per page').selectOption('50 rows');
    await page.getByRole('button', { name: 'Save preferences' }).press('Enter');
    await page.getByText('Preferences saved').first().waitFor();
    await page.goto(`${dashboard.url}/dashboard/executions/compare?base=${base}&other=${other}`);
    await page
      .getByText(/GMT\+9/)
      .first()
      .waitFor();
    const list = page.waitForRequest((request) => /\/v1\/executions\?.*limit=50/.test(request.url()));
    await page.goto(`${dashboard.url}/dashboard/executions`);
    await list;
  });
});

it('the dialog that chooses the second execution of a comparison has no accessibility violation', () =>
  dashboard.looksRight('execution-compare', `/executions/${other}`, async (page) => {
    const compare = new CompareDialog(page);
    await compare.opener.click();
    await compare.choices.first().waitFor();
  }));
