import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard?.stop());

interface Listed {
  readonly data: readonly { readonly name: string; readonly version: number; readonly description: string }[];
}

const listed = async (name: string) =>
  (await dashboard.api<Listed>('GET', `/v1/secrets?name=${name}`)).data[0];
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const charge = (value: string) => [{ id: 'charge', type: 'set', with: { value } }];

async function choose(page: Page, secret: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${secret}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('the secrets page', () => {
  it('the secrets page explains how to use a secret, and a user can create a secret with the keyboard only', async () => {
    const { page, faults, goto, close } = await dashboard.page();
    await goto('/settings/secrets');
    await page.getByText('Bearer {{ secrets.NAME }}').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Create secret' });
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('payment-key');
    await dialog.getByText('for example PAYMENT_KEY').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('PAYMENT_KEY');
    await dialog.getByText('{{ secrets.PAYMENT_KEY }}').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText(/1 byte to 64 KiB in UTF-8/).waitFor();

    const value = dialog.getByLabel('Value', { exact: true });
    expect(await value.getAttribute('type')).toBe('password');
    await value.fill('sk_live_first');
    await dialog.getByRole('button', { name: 'Show value' }).click();
    expect(await value.inputValue()).toBe('sk_live_first');
    await dialog.getByRole('button', { name: 'Hide value' }).click();
    await dialog.getByLabel('Description').fill('Key of the payment service');
    await page.keyboard.press('Enter');
    await page.getByText('Secret PAYMENT_KEY created').first().waitFor();
    await row(page, 'PAYMENT_KEY').getByText('never').waitFor();
    expect(await page.content()).not.toContain('sk_live_first');
    expect(faults).toEqual([]);
    await close();
  });

  it('the secrets page refuses a new secret whose name already exists', async () => {
    await dashboard.api('POST', '/v1/secrets', { name: 'TAKEN', value: 'v' });
    const { page, goto, close } = await dashboard.page();
    await goto('/settings/secrets');
    await page.getByRole('button', { name: 'Create secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create secret' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('TAKEN');
    await dialog.getByLabel('Value', { exact: true }).fill('w');
    await dialog.getByRole('button', { name: 'Create secret' }).click();
    await dialog.getByText('The project already has a secret with this name.').waitFor();
    await close();
  });

  it('the search field of the secrets page finds secrets by name and description', async () => {
    await dashboard.api('POST', '/v1/secrets', { name: 'SMTP', value: 'v', description: 'Outgoing mail' });
    await dashboard.api('POST', '/v1/secrets', { name: 'OTHER', value: 'v' });
    const { page, goto, close } = await dashboard.page();
    await goto('/settings/secrets');
    await row(page, 'OTHER').waitFor();
    await page.getByRole('searchbox', { name: 'Search secrets' }).fill('mail');
    await row(page, 'OTHER').waitFor({ state: 'detached' });
    await row(page, 'SMTP').waitFor();
    await close();
  });

  it('a user can paste a new multi-line value for a secret, and edit the description of the secret', async () => {
    await dashboard.api('POST', '/v1/secrets', { name: 'PRIVATE_KEY', value: 'old' });
    const { page, goto, close } = await dashboard.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await goto('/settings/secrets');
    await choose(page, 'PRIVATE_KEY', 'Replace value');
    const replace = page.getByRole('dialog', { name: 'Replace the value of PRIVATE_KEY' });
    const value = replace.getByLabel('New value');
    await value.fill('in the way');
    await page.evaluate("navigator.clipboard.writeText('first\\nsecond')");
    await value.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+v');
    await expect.poll(() => value.inputValue()).toBe('first\nsecond');
    await replace.getByRole('button', { name: 'Replace value' }).click();
    await page.getByText('Value of PRIVATE_KEY replaced. The new value is version 2').first().waitFor();

    await choose(page, 'PRIVATE_KEY', 'Edit description');
    const edit = page.getByRole('dialog', { name: 'Edit the description of PRIVATE_KEY' });
    await edit.getByLabel('Description').fill('Signs documents');
    await edit.getByRole('button', { name: 'Save description' }).click();
    await row(page, 'PRIVATE_KEY').getByTitle('Signs documents').waitFor();
    expect(await listed('PRIVATE_KEY')).toMatchObject({ version: 2, description: 'Signs documents' });
    await close();
  });

  it('the dashboard lists the workflows that use a secret before the user confirms its deletion', async () => {
    const description = 'Key of the billing service';
    await dashboard.api('POST', '/v1/secrets', { name: 'IN_USE', value: 'v', description });
    await dashboard.api('POST', '/v1/workflows', {
      name: 'Charge a card',
      nodes: charge('{{ secrets.IN_USE }}'),
    });
    const refused = async (shown: Page): Promise<void> => {
      await choose(shown, 'IN_USE', 'Delete');
      await shown.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click();
      await shown.getByRole('dialog', { name: 'Secret IN_USE is in use' }).waitFor();
      await shown.getByRole('link', { name: 'Charge a card' }).waitFor();
    };
    await dashboard.looksRight('secret-in-use', '/settings/secrets', refused);

    const { page, goto, close } = await dashboard.page();
    await goto('/settings/secrets');
    await refused(page);
    expect(await listed('IN_USE')).toBeDefined();
    await page.getByRole('button', { name: 'Delete anyway' }).click();
    await page.getByText('Secret IN_USE deleted').first().waitFor();
    await row(page, 'IN_USE').waitFor({ state: 'detached' });
    expect(await listed('IN_USE')).toBeUndefined();
    await close();
  });

  it('the dialog for a new secret has no accessibility violation, error or horizontal scrolling', () =>
    dashboard.looksRight('secret-create', '/settings/secrets', async (shown) => {
      await shown.getByRole('button', { name: 'Create secret' }).first().click();
      await shown.getByRole('textbox', { name: 'Name' }).fill('PAYMENT_KEY');
    }));

  it('the secrets page shows secrets to a user with the role member, but no buttons to change secrets', async () => {
    await dashboard.api('POST', '/v1/secrets', { name: 'SEEN', value: 'v' });
    const opened = await dashboard.page({ signedIn: false });
    await dashboard.join(opened, 'member');
    await opened.goto('/settings/secrets');
    await row(opened.page, 'SEEN').waitFor();
    expect(await opened.page.getByRole('button', { name: /Create secret|Actions for/ }).count()).toBe(0);
    await opened.close();
  });
});

it('the workflow builder suggests names of secrets that are loaded while the user types an expression', async () => {
  await dashboard.api('POST', '/v1/secrets', { name: 'BUILDER_KEY', value: 'v' });
  const made = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
    name: 'completed',
    nodes: charge('x'),
  });
  const { page, faults, goto, close } = await dashboard.page({ viewport: { width: 1440, height: 900 } });
  const load = Promise.withResolvers<void>();
  await page.route('**/v1/secrets?**', async (route) => {
    await load.promise;
    await route.continue();
  });
  await goto(`/workflows/${made.id}/edit`);
  await page.locator('[data-node="charge"]').click();
  const field = page.getByRole('textbox', { name: 'Value' });
  await field.click();
  await page.keyboard.press('ControlOrMeta+a');
  const [first = '', ...rest] = 'BUILDER';
  await page.keyboard.type(`{{ secrets.${first}`);
  const loaded = page.waitForResponse('**/v1/secrets?**');
  load.resolve();
  await loaded;
  const suggestion = page.locator('.cm-tooltip-autocomplete li').filter({ hasText: 'BUILDER_KEY' });
  const isSuggested = (): Promise<boolean> =>
    suggestion.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  // The first keystrokes may come before the dashboard has read the response.
  for (const letter of rest) {
    await page.keyboard.type(letter);
    if (await isSuggested()) break;
  }
  expect(await suggestion.count()).toBe(1);
  expect(faults).toEqual([]);
  await close();
});
