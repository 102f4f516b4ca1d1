import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
}, 120_000);

afterAll(() => dashboard.stop());

it('shows processes, queue, commits, database and the last changes', { timeout: 180_000 }, async () => {
  const nodes = [{ id: 'wait', type: 'delay', with: { seconds: 100 } }];
  const made = (await dashboard.api('POST', '/v1/workflows', { name: 'Sleeper', nodes })) as { id: string };
  await dashboard.api('POST', `/v1/workflows/${made.id}/executions`, {});
  await dashboard.looksRight('operations', '/settings/operations', async (page) => {
    await page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1).waitFor();
    await page
      .getByRole('table', { name: 'Largest tables' })
      .getByText('executions', { exact: true })
      .waitFor();
    await page.getByRole('table', { name: 'Last changes' }).getByText('workflow.created').first().waitFor();
    await page.getByText('SQLite', { exact: true }).waitFor();
  });
});

it('shows an error when loading fails, and loads again on "Try again"', { timeout: 120_000 }, async () => {
  const { page, goto, close } = await dashboard.page();
  let fails = true;
  await page.route('**/v1/system', (route) =>
    fails
      ? route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: JSON.stringify({
            error: { type: 'server_error', code: 'server_error', message: 'Broken.', request_id: 'r-1' },
          }),
        })
      : route.continue(),
  );
  await goto('/settings/operations');
  await page.getByText('Could not read how the service is.').waitFor();
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Processes' }).waitFor();
  expect(await page.getByText('Could not read how the service is.').count()).toBe(0);
  await close();
});
