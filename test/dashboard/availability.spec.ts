import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../support/accessibility.js';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;
let runPath: string;
let workflowPath: string;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  const { id } = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
    name: 'Waits long',
    nodes: [{ id: 'rest', type: 'delay', with: { seconds: 3000 } }],
  });
  const run = await dashboard.api<{ id: string }>('POST', `/v1/workflows/${id}/executions`, {});
  workflowPath = `/workflows/${id}`;
  runPath = `/executions/${run.id}`;
});

afterAll(() => dashboard?.stop());

const bar = (page: Page) => page.getByText(/^Service unavailable, retrying in \d s$/);
const menu = (page: Page) => page.getByRole('navigation', { name: 'Primary' });

/** Makes requests to the given paths fail as if the service were down. */
async function cutOff(page: Page, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) await page.route(`**${path}`, (route) => route.abort('connectionrefused'));
}

describe('the dashboard while the service is unavailable', () => {
  let isUp = true;
  beforeEach(async () => {
    if (!isUp) await dashboard.startAgain();
    isUp = true;
  });
  const kill = async () => {
    isUp = false;
    await dashboard.kill();
  };
  const startAgain = async () => {
    await dashboard.startAgain();
    isUp = true;
  };

  it('every menu entry opens its page during an outage, and the page loads its data when the service is back', async () => {
    const { page, goto, close } = await dashboard.page();
    await page.clock.install();
    await goto('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const lastPage = page.waitForResponse(/\/assets\/about-page/);
    await page.clock.fastForward('00:10');
    await (await lastPage).finished();
    await kill();
    await bar(page).waitFor();
    const entries = await menu(page).getByRole('link').allTextContents();
    expect(entries.length).toBeGreaterThan(10);
    for (const name of entries) {
      const link = menu(page).getByRole('link', { name, exact: true });
      await link.click();
      await expect.poll(() => link.getAttribute('aria-current'), { message: name }).toBe('page');
      await bar(page).waitFor();
      await page.getByRole('main').waitFor();
    }
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await startAgain();
    await bar(page).waitFor({ state: 'detached' });
    await page.getByText('Node.js', { exact: true }).waitFor();
    for (const name of entries) {
      await menu(page).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count(), name).toBe(0);
    }
    await close();
  });

  it('a page that the user first opens during an outage appears when the service is back', async () => {
    const { page, goto, close } = await dashboard.page();
    await page.addInitScript('window.requestIdleCallback = () => 0');
    await goto('/executions');
    await page.getByRole('table', { name: 'Executions' }).waitFor();
    await kill();
    await bar(page).waitFor();
    await menu(page).getByRole('link', { name: 'Node types' }).click();
    await menu(page).getByRole('link', { name: 'Sessions' }).click();
    await page.waitForURL('**/sessions');
    expect(await menu(page).isVisible()).toBe(true);
    await startAgain();
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await close();
  });

  it('a dialog keeps its typed text during an outage, and can send it when the service is back', async () => {
    const { page, goto, close } = await dashboard.page();
    await goto('/settings/projects');
    await page
      .getByRole('button', { name: /^(Create|New) project/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Typed before');
    await kill();
    await bar(page).waitFor();
    const send = dialog.locator('button[type=submit]');
    expect(await send.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox', { name: 'Name' }).pressSequentially(' and after');
    await startAgain();
    await bar(page).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Typed before and after');
    await send.click();
    await page.getByText('Typed before and after').first().waitFor();
    await close();
  });

  it('a workflow editor keeps unsaved changes during an outage, and an open execution page reconnects', async () => {
    const one = await dashboard.page();
    await one.goto(`${workflowPath}?tab=definition`);
    await one.page.getByRole('textbox', { name: 'Definition' }).click();
    await one.page.keyboard.press('Control+Home');
    await one.page.keyboard.type('  ');
    const two = await dashboard.page();
    await two.goto(runPath);
    const pause = two.page.getByRole('button', { name: 'Pause' });
    await pause.waitFor();
    await two.page.getByText('Live', { exact: true }).waitFor();
    await kill();
    await Promise.all([bar(one.page).waitFor(), bar(two.page).waitFor()]);
    expect(await pause.isDisabled()).toBe(true);
    await startAgain();
    await Promise.all([one, two].map(({ page }) => bar(page).waitFor({ state: 'detached' })));
    await one.page.getByRole('tab', { name: 'Definition (unsaved)' }).waitFor();
    await two.page.getByText('Live', { exact: true }).waitFor();
    await pause.click();
    await two.page.getByRole('button', { name: 'Resume' }).click();
    await pause.waitFor();
    await Promise.all([one.close(), two.close()]);
  });

  it('the sign-in page reports an outage and keeps the typed text', async () => {
    const { page, goto, close } = await dashboard.page({ signedIn: false });
    await goto('/login');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await kill();
    // Pressing Enter submits the form before the page detects the outage and disables the button.
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await bar(page).waitFor();
    await startAgain();
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await close();
  });
});

it('the error dialog of an action that failed in an outage closes when the service is back', async () => {
  const { page, goto, close } = await dashboard.page();
  await goto(runPath);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  // The outage starts when the user clicks, because the page disables the button when it detects an outage.
  await page.route('**/pause', async (route) => {
    await cutOff(page, '/health/ready');
    await route.abort();
  });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await bar(page).waitFor();
  await page.unrouteAll();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await bar(page).waitFor({ state: 'detached' });
  await close();
});

it('the dashboard probes the service again if a request fails during a successful probe', async () => {
  const { page, goto, close } = await dashboard.page();
  await goto(runPath);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.waitForLoadState('networkidle');
  const { promise: secondFailure, resolve: failedTwice } = Promise.withResolvers<void>();
  let probes = 0;
  await page.route('**/health/ready', async (route) => {
    probes += 1;
    if (probes > 1) return route.abort('connectionrefused');
    await secondFailure;
    return route.fulfill({ json: {} });
  });
  await page.route('**/pause', (route) => route.abort());
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  failedTwice();
  await bar(page).waitFor();
  await close();
});

it('the dashboard does not report an outage if a single request fails', async () => {
  const { page, goto, close } = await dashboard.page();
  await cutOff(page, '/v1/sessions?*');
  await goto('/sessions');
  await page.getByText("Couldn't load the sessions.").waitFor();
  expect(await bar(page).count()).toBe(0);
  await close();
});

it('the menu stays usable if a page fails to render', async () => {
  const { page, goto, close } = await dashboard.page();
  await page.route('**/v1/node-types?*', (route) => route.fulfill({ json: { data: null } }));
  await goto('/node-types');
  await page.getByText("Couldn't show this page.").waitFor();
  await menu(page).getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
  await close();
});
