import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;
let workflowId: string;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  const nodes = [{ id: 'greet', type: 'set', with: { value: 'hello' } }];
  ({ id: workflowId } = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
    name: 'Tail',
    nodes,
  }));
});

afterAll(() => dashboard.stop());

const run = () => dashboard.api<{ id: string }>('POST', `/v1/workflows/${workflowId}/executions`, {});

it('the events page shows all missed events after its connection was cut', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/events');
  await page.getByText('Live', { exact: true }).waitFor();
  const cut = page.getByRole('button', { name: 'Cut my connection' });
  expect(await cut.isDisabled()).toBe(true);
  const { id: first } = await run();
  await page.getByRole('row', { name: new RegExp(`workflow.completed.*${first.slice(-8)}`) }).waitFor();
  await cut.click();
  await page.getByText('The connection is cut.').waitFor();
  const { id: missed } = await run();
  expect(await page.getByText(missed.slice(-8)).count()).toBe(0);
  await page.getByText(/Reconnected\. Missed events received: [1-9]\d*\. Events lost: none\./).waitFor();
  await page.getByRole('row', { name: new RegExp(`workflow.completed.*${missed.slice(-8)}`) }).waitFor();
  await page.getByText('no gaps').waitFor();
  const { id: later } = await run();
  await page.getByRole('row', { name: new RegExp(`workflow.completed.*${later.slice(-8)}`) }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the events page counts new events while it is paused, and shows only the event type given in the URL', async () => {
  const { page, goto, close } = await dashboard.page();
  await goto('/events?type=workflow.completed');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  const { id } = await run();
  await page.getByRole('button', { name: 'Resume (new events: 1)' }).click();
  await page.getByRole('row', { name: new RegExp(id.slice(-8)) }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await close();
});

it('the events page has no accessibility violation, error or horizontal scrolling', () =>
  dashboard.looksRight('events', '/events', async (page) => {
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' });
    await run();
    await page.getByText('workflow.completed').last().waitFor();
  }));
