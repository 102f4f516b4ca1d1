import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;
let greeting: string;
let napping: string;

interface Made {
  readonly id: string;
}

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  const made = (name: string, node: object) =>
    dashboard.api<Made>('POST', '/v1/workflows', { name, nodes: [{ id: 'only', ...node }] });
  greeting = (await made('greeting', { type: 'set', with: { value: 'hello' } })).id;
  napping = (await made('napping', { type: 'delay', with: { seconds: 600 } })).id;
});

afterAll(() => dashboard?.stop());

async function start(workflow: string, body: object = {}): Promise<string> {
  return (await dashboard.api<Made>('POST', `/v1/workflows/${workflow}/executions`, body)).id;
}

async function onPage(
  search: string,
  look: (page: Page, opened: DashboardPage) => Promise<void>,
): Promise<void> {
  const opened = await dashboard.page();
  try {
    await opened.goto(`/executions${search}`);
    await look(opened.page, opened);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

const rows = (page: Page) => page.locator('tbody tr');

it('the list of executions shows "No executions yet" if none exists, or "No matching executions" if a search finds none', async () => {
  await onPage('', async (page) => {
    await page.getByText('No executions yet').waitFor();
    await page.getByRole('link', { name: 'Read the docs' }).waitFor();
    expect(await page.getByRole('search').count()).toBe(0);
    await page.getByRole('link', { name: 'Choose a workflow to run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
  });
  await onPage('?q=order', (page) => page.getByText('No matching executions').waitFor());
});

it('the list of executions can be filtered by status, workflow, trigger, day, id and metadata', async () => {
  const gold = await start(greeting, { metadata: { tier: 'gold' } });
  await start(greeting);
  await start(napping);
  await onPage('', async (page) => {
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.getByRole('button', { name: /^Status/ }).click();
    await page.getByLabel('Waiting').check();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel('Completed').check();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('status')).toBe('waiting,completed');
    await page.keyboard.press('Escape');
    await page.getByLabel('Workflow').selectOption('greeting');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByLabel('Trigger').selectOption('Schedule');
    await page.getByText('No matching executions').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('ID, words or key=value').fill('tier=gold');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel('ID, words or key=value').fill(gold);
    await expect.poll(() => page.getByRole('link', { name: gold.slice(-8) }).count()).toBe(1);
    await page.getByLabel('ID, words or key=value').fill(gold.replace(/^.{8}/, '00000000'));
    await page.getByText('No matching executions').waitFor();
    await page.getByLabel('ID, words or key=value').fill('');
    await page.getByLabel('Session ID').fill('half an id');
    await page.getByText('session_id must be a UUID.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();

    // The browser's Back button returns to the list with its filters.
    await page.getByLabel('Workflow').selectOption('greeting');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole('link', { name: gold.slice(-8) }).click();
    await page.waitForURL(`**/executions/${gold}*`);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(new URL(page.url()).search).toBe(`?workflow=${greeting}`);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(2);
  });
  await onPage('?from=2020-01-01&to=2020-01-02', (page) =>
    page.getByText('No matching executions').waitFor(),
  );
  const today = new Date();
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  await onPage(`?from=${day}&to=${day}`, async (page) => {
    await expect.poll(() => rows(page).count()).toBe(3);
  });
});

it('the list of executions counts new matching executions and updates the status of listed executions', () =>
  onPage(`?workflow=${napping}`, async (page) => {
    await page.getByText('Live', { exact: true }).waitFor();
    await rows(page).first().waitFor();
    const before = await rows(page).count();
    await start(greeting);
    const nap = await start(napping);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rows(page).count()).toBe(before + 1);
    const row = page.getByRole('row', { name: new RegExp(nap.slice(-8)) });
    await row.getByText('Waiting').waitFor();
    await dashboard.api('POST', `/v1/executions/${nap}/cancel`, {});
    await row.getByText('Cancelled').waitFor();
  }));

it('a user can cancel or retry several selected executions after confirming the action in a dialog', async () => {
  const naps = [await start(napping), await start(napping)];
  // The executions must be waiting before the test clicks, because a change of status would move their rows.
  for (const nap of naps)
    await expect
      .poll(async () => (await dashboard.api<{ status: string }>('GET', `/v1/executions/${nap}`)).status)
      .toBe('waiting');
  await onPage(`?workflow=${napping}&status=waiting,running,queued`, async (page) => {
    for (const nap of naps) await page.getByLabel(`Select execution ${nap.slice(-8)}`).check();
    await page.getByText('2 executions selected').waitFor();
    await page.getByRole('button', { name: 'Cancel 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2 executions?' });
    await dialog.getByRole('button', { name: 'Cancel 2 executions' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  for (const nap of naps)
    expect((await dashboard.api<{ status: string }>('GET', `/v1/executions/${nap}`)).status).toBe(
      'cancelled',
    );
  await onPage(`?workflow=${napping}&status=cancelled`, async (page) => {
    for (const nap of naps) await page.getByLabel(`Select execution ${nap.slice(-8)}`).check();
    expect(await page.getByRole('button', { name: 'Cancel 0' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Retry 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 2 executions?' });
    await dialog.getByRole('button', { name: 'Retry 2 executions' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await onPage(`?workflow=${napping}&trigger=retry`, async (page) => {
    await expect.poll(() => rows(page).count()).toBe(2);
  });
});

it('after a switch to another project, the list shows its first page without selected rows or the filter by workflow', async () => {
  await dashboard.api('POST', '/v1/projects', { name: 'Other project' });
  const nap = await start(napping);
  await onPage(`?workflow=${napping}&status=waiting`, async (page) => {
    await page.getByLabel(`Select execution ${nap.slice(-8)}`).check();
    await page.getByText('1 execution selected').waitFor();
    await page.getByRole('button', { name: /Team and project/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Other project' }).click();
    await page.getByText('No matching executions').waitFor();
    expect(await page.getByText('1 execution selected').count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('?status=waiting');
  });
  await dashboard.api('POST', `/v1/executions/${nap}/cancel`);
});

it('the list of executions with selected rows or an open filter has no accessibility violation', async () => {
  // The screenshot uses a filter with few rows. With many rows, the bar with the actions for selected rows may cover
  // a part of a check box.
  await dashboard.looksRight('executions-chosen', '/executions?status=cancelled', async (page) => {
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('region', { name: 'Selected executions' }).waitFor();
  });
  await dashboard.looksRight('executions-status', '/executions?status=waiting', async (page) => {
    await page.getByRole('button', { name: /^Status/ }).click();
    await page.getByLabel('Waiting').waitFor();
  });
});

it('the list of executions shows "No executions yet" only after the service has returned an empty list', async () => {
  await start(greeting);
  await onPage('?q=nothing', async (page) => {
    await page.getByText('No matching executions').waitFor();
    const list = '**/v1/executions?*';
    const held = new Promise<Route>((resolve) => void page.route(list, resolve, { times: 1 }));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const route = await held;
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await page.getByText('No executions yet').count()).toBe(0);
    await route.continue();
    await rows(page).first().waitFor();
  });
});

it('the list of executions disables actions on all matching executions while its search field contains words', async () => {
  const id = await start(greeting);
  await onPage('?q=hello', async (page) => {
    const menu = page.getByRole('button', { name: 'All matching' });
    expect(await menu.isDisabled()).toBe(true);
    expect(await menu.getAttribute('title')).toContain('Clear the search');
  });
  await onPage(`?q=${id}`, async (page) => {
    expect(await page.getByRole('button', { name: 'All matching' }).isDisabled()).toBe(true);
  });
  await onPage('?q=tier=silver', async (page) => {
    await page.getByText('No matching executions').waitFor();
    expect(await page.getByRole('button', { name: 'All matching' }).isEnabled()).toBe(true);
  });
});
