import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { Keyboard } from '../support/keyboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

it('the operations page shows processes, database tables and recent changes', async () => {
  const nodes = [{ id: 'wait', type: 'delay', with: { seconds: 100 } }];
  const made = (await dashboard.api('POST', '/v1/workflows', { name: 'Sleeper', nodes })) as { id: string };
  await dashboard.api('POST', `/v1/workflows/${made.id}/executions`, {});
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/operations');
  await page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1).waitFor();
  await page
    .getByRole('table', { name: 'Largest tables' })
    .getByText('executions', { exact: true })
    .waitFor();
  await page.getByRole('table', { name: 'Recent changes' }).getByText('workflow.created').first().waitFor();
  await page.getByText('SQLite', { exact: true }).waitFor();
  await page.getByText('There are no active webhooks.').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the operations page lists failing webhooks and links to each of them', async () => {
  // Deliveries fail, because this host name does not exist.
  const url = 'https://down.invalid/events';
  const webhook = (await dashboard.api('POST', '/v1/webhooks', { url })) as { id: string };
  const nodes = [{ id: 'a', type: 'set', with: { value: 1 } }];
  const made = (await dashboard.api('POST', '/v1/workflows', { name: 'Told', nodes })) as { id: string };
  await dashboard.api('POST', `/v1/workflows/${made.id}/executions`, {});
  const { page, goto, close } = await dashboard.page();
  await goto('/settings/operations');
  await page
    .getByText(
      /^Active webhooks in all teams: 1. With undelivered events: 1 \(at most \d+ events each\). Failing: 1/,
    )
    .waitFor();
  await page.getByRole('table', { name: 'Webhooks with undelivered events' }).getByText(url).click();
  await page.waitForURL(`**/settings/webhooks/${webhook.id}`);
  await close();
});

it('the operations page shows an error if its data cannot be loaded, and loads the data after "Try again"', async () => {
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
  await page.getByText("Couldn't load the state of the service.").waitFor();
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Processes' }).waitFor();
  expect(await page.getByText("Couldn't load the state of the service.").count()).toBe(0);
  await close();
});

it('a user can open every link of the operations page with the keyboard only', async () => {
  const { id } = await dashboard.api<{ readonly id: string }>('POST', '/v1/webhooks', {
    url: 'https://keyed.invalid/events',
  });
  const nodes = [{ id: 'a', type: 'set', with: { value: 1 } }];
  const made = await dashboard.api<{ readonly id: string }>('POST', '/v1/workflows', {
    name: 'Keyed',
    nodes,
  });
  await dashboard.api('POST', `/v1/workflows/${made.id}/executions`, {});
  const { page, faults, goto, close } = await dashboard.page();
  const keyboard = new Keyboard(page);
  const back = async (): Promise<void> => {
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
  };
  await goto('/settings/operations');
  await keyboard.press(
    page
      .getByRole('table', { name: 'Webhooks with undelivered events' })
      .getByRole('link', { name: 'https://keyed.invalid/events' }),
  );
  await page.waitForURL(`**/settings/webhooks/${id}`);
  await back();
  await keyboard.press(page.getByRole('link', { name: 'Open webhooks' }));
  await page.waitForURL('**/settings/webhooks');
  await back();
  await keyboard.press(page.getByRole('link', { name: 'Open audit log' }));
  await page.waitForURL('**/settings/audit-log');
  await back();
  await keyboard.reach(page.getByRole('link', { name: 'Read the docs' }));
  await keyboard.reach(
    page.getByRole('table', { name: 'Recent changes' }).getByRole('button', { name: /^Copy/ }).first(),
  );
  expect(faults).toEqual([]);
  await close();
});
