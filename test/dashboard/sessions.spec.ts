import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

it('a user can create a session, watch and start executions in the session, and close the session', async () => {
  const nodes = [{ id: 'greet', type: 'set', with: { value: 'hello' } }];
  const workflow = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
    name: 'Of a session',
    nodes,
  });
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/sessions');
  await page.getByText('No sessions yet').waitFor();
  await page.getByRole('button', { name: 'Create session' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create session' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Order 4711');
  await dialog.getByLabel('State').fill('{ "paid": ');
  await dialog.getByRole('button', { name: 'Create session' }).click();
  await dialog.getByText('This is not a JSON object.').waitFor();
  await dialog.getByLabel('State').fill('{ "paid": false }');
  await dialog.getByRole('button', { name: 'Create session' }).click();
  await page.getByRole('heading', { level: 1, name: 'Order 4711' }).waitFor();
  await page.getByText('No events yet').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const run = await dashboard.api<{ id: string }>('POST', `/v1/workflows/${workflow.id}/executions`, {
    session_id: id,
  });
  await page.getByRole('row', { name: new RegExp(`workflow.completed.*${run.id.slice(-8)}`) }).waitFor();
  const live = await page.getByRole('row').count();
  await page.reload();
  await page.getByRole('row', { name: /workflow.completed/ }).waitFor();
  expect(await page.getByRole('row').count()).toBe(live);
  await page.getByRole('tab', { name: 'Executions' }).click();
  await page.getByRole('row', { name: new RegExp(run.id.slice(-8)) }).waitFor();
  await page.getByRole('tab', { name: 'State' }).click();
  await page.getByText('"paid"').or(page.getByText('paid')).first().waitFor();

  await page.getByRole('button', { name: 'Run in this session' }).click();
  const start = page.getByRole('dialog', { name: 'Run in this session' });
  await start.getByLabel('Workflow').selectOption('Of a session');
  await start.getByRole('button', { name: 'Run workflow' }).click();
  await page.waitForURL('**/executions/*');
  const started = await dashboard.api<{ session_id: string }>(
    'GET',
    `/v1/executions/${new URL(page.url()).pathname.split('/').at(-1)}`,
  );
  expect(started.session_id).toBe(id);

  await goto(`/sessions/${id}`);
  await page.getByRole('button', { name: 'Close session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close session' }).click();
  await page.getByText('Closed', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Run in this session' }).count()).toBe(0);
  await goto('/sessions?status=active');
  await page.getByText('No matching sessions').waitFor();
  expect(faults).toEqual([]);
  await close();
});
