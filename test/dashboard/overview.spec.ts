import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

interface Made {
  readonly id: string;
}

const workflow = (name: string, node: object) =>
  dashboard.api<Made>('POST', '/v1/workflows', { name, nodes: [{ id: 'only', ...node }] });

const start = ({ id }: Made) => dashboard.api<Made>('POST', `/v1/workflows/${id}/executions`, { input: {} });

/** Script that adds up all layout shifts of a page since its first paint, in `window.shift`. */
const COUNT_SHIFTS = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const shiftOf = (page: Page) => page.evaluate<number>('window.shift');

it('the overview lists only running executions under "Running now", and has no layout shifts', async () => {
  const waiting = await workflow('waits', { type: 'wait', with: { signal: 'go' } });
  const running = await workflow('runs', {
    type: 'code',
    with: { source: 'for (const end = Date.now() + 20000; Date.now() < end; ); return 1' },
    timeout_seconds: 25,
  });
  await start(waiting);
  const { page, faults, close } = await dashboard.page();
  await page.addInitScript(COUNT_SHIFTS);
  await page.goto(`${dashboard.url}/dashboard/`);
  await page.getByText('No running executions.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const { id } = await start(running);
  const table = page.getByRole('table', { name: 'Running now' });
  await table.getByText(id.slice(-8)).waitFor();
  expect(await table.locator('tbody tr').count()).toBe(1);
  expect(await shiftOf(page)).toBe(0);
  await dashboard.api('POST', `/v1/executions/${id}/cancel`, {});
  await table.waitFor({ state: 'detached' });
  expect(await shiftOf(page)).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

it('the overview marks the step "Watch an execution live" as done after the user has watched an execution live', async () => {
  const waiting = await workflow('watched', { type: 'wait', with: { signal: 'go' } });
  const { id } = await start(waiting);
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/');
  const step = page.getByRole('listitem').filter({ hasText: 'Watch an execution live' });
  await step.getByLabel('To do').waitFor();
  await step.getByRole('link', { name: 'Open an execution' }).click();
  await page.waitForURL('**/executions/*');
  await goto('/');
  await step.getByLabel('To do').waitFor();

  await goto(`/executions/${id}`);
  await page.getByText(/^live at event \d+$/).waitFor();
  await dashboard.api('POST', `/v1/executions/${id}/signals/go`, { payload: {} });
  await page.getByText(/^complete at event \d+$/).waitFor();
  await goto('/');
  await page.getByText('Running now').waitFor();
  expect(await page.getByText('Getting started').count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

it('a page of the dark theme is printed in light colors and without the sidebar', async () => {
  const { page, goto, close } = await dashboard.page({ colorScheme: 'dark' });
  await goto('/executions');
  await page.getByRole('table', { name: 'Executions' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(252, 252, 253)');
  expect(await page.getByRole('complementary').isVisible()).toBe(false);
  expect(await page.getByRole('table', { name: 'Executions' }).isVisible()).toBe(true);
  await close();
});

it('narrow screens show the times of executions and the descriptions of node types', async () => {
  const { page, goto, close } = await dashboard.page({ viewport: { width: 390, height: 844 } });
  await goto('/executions');
  const row = page.getByRole('row', { name: /waits/ }).first();
  await row.locator('time:visible').waitFor();
  await row.locator('.mono:visible', { hasText: /\d (ms|s)$/ }).waitFor();
  await goto('/node-types');
  await page.getByText('Calls a URL and returns the status').first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await close();
});
