import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';
import { SavedViewsMenu } from '../support/saved-views-menu.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
  const { id } = await dashboard.api<{ readonly id: string }>('POST', '/v1/workflows', {
    name: 'greeting',
    nodes: [],
  });
  await dashboard.api('POST', `/v1/workflows/${id}/executions?wait=60`, {});
});

afterAll(() => dashboard?.stop());

async function onList(
  search: string,
  look: (page: Page, opened: DashboardPage) => Promise<void>,
  isNewPerson = false,
): Promise<void> {
  const opened = await dashboard.page({ signedIn: !isNewPerson });
  try {
    if (!isNewPerson) await opened.goto(`/executions${search}`);
    await look(opened.page, opened);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

it('a user can save filters as a team view, which a user with the role viewer can select but not change', async () => {
  await onList('?status=failed,completed', async (page) => {
    const views = new SavedViewsMenu(page);
    await views.opener().click();
    await views.item('Save filters as view…').click();
    const dialog = views.dialog('Save view');
    await dialog.getByRole('button', { name: 'Save view', exact: true }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await views.nameIn(dialog).fill('Ended');
    await dialog
      .getByRole('combobox', { name: 'Visible to', exact: true })
      .selectOption('Everyone in the team');
    await dialog.getByRole('button', { name: 'Save view', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await views.opener('Ended').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await views.opener().click();
    await views.view('Ended').click();
    await page.waitForURL(/status=failed.+completed/);
  });
  await onList(
    '',
    async (page, opened) => {
      await dashboard.join(opened, 'viewer');
      await opened.goto('/executions');
      const views = new SavedViewsMenu(page);
      await views.opener().click();
      await page.getByText('Team views', { exact: true }).waitFor();
      await views.view('Ended').click();
      await page.waitForURL(/status=failed.+completed/);
      await views.opener('Ended').click();
      await views.item('Save filters as view…').waitFor();
      expect(await page.getByRole('menuitem').count()).toBe(1);
    },
    true,
  );
});

it('a user can save, select, rename and delete a private view with the keyboard only', () =>
  onList('?trigger=api', async (page) => {
    const views = new SavedViewsMenu(page);
    const press = async (item: ReturnType<SavedViewsMenu['item']>): Promise<void> => {
      await item.focus();
      await page.keyboard.press('Enter');
    };
    await press(views.opener());
    await press(views.item('Save filters as view…'));
    await views.dialog('Save view').waitFor();
    await page.keyboard.type('By API');
    await page.keyboard.press('Enter');
    await views.opener('By API').waitFor();
    await page.reload();
    await press(views.opener('By API'));
    await press(views.item('Rename or share By API…'));
    const dialog = views.dialog('Change view By API');
    await expect.poll(() => views.nameIn(dialog).inputValue()).toBe('By API');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('API only');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await press(views.opener('API only'));
    await page.getByText('My views', { exact: true }).waitFor();
    await press(views.item('Delete API only…'));
    const confirm = views.dialog('Delete view API only?');
    await press(confirm.getByRole('button', { name: 'Delete view', exact: true }));
    await confirm.waitFor({ state: 'detached' });
    await views.opener().waitFor();
    const { data } = await dashboard.api<{ readonly data: readonly { readonly name: string }[] }>(
      'GET',
      '/v1/saved-views?page=executions',
    );
    expect(data.map(({ name }) => name)).not.toContain('API only');
  }));

it('the dialog that saves a view has no accessibility violation, error or horizontal scrolling', () =>
  dashboard.looksRight('executions-view', '/executions?trigger=schedule', async (page) => {
    const views = new SavedViewsMenu(page);
    await views.opener().click();
    await views.item('Save filters as view…').click();
    await views.dialog('Save view').waitFor();
  }));
