import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

/** Sends a request with an API key. @returns the HTTP status */
async function statusWith(key: string): Promise<number> {
  const response = await fetch(`${dashboard.url}/v1/workflows`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.status;
}

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create New Key' }).first().click();
  await page.getByRole('dialog', { name: 'Create New Key' }).waitFor();
}

async function create(page: Page, name: string): Promise<string> {
  await openForm(page);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  return page.getByRole('dialog', { name: 'Copy your new key' }).getByLabel('API key').inputValue();
}

async function act(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/**
 * Script that returns everything in the browser that must not contain an API key: URL, history, storage and cookies.
 */
const TRACES =
  'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie])';

it('the dashboard shows a new API key only once, and the service rejects the key after its deletion', async () => {
  const { page, faults, goto, close } = await dashboard.page({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await goto('/settings/api-keys');
  const secret = await create(page, 'ci-prod');
  expect(await statusWith(secret)).toBe(200);

  const reveal = page.getByRole('dialog', { name: 'Copy your new key' });
  await page.keyboard.press('Escape');
  await reveal.getByText('You have not copied the key.').waitFor();
  await reveal.getByRole('button', { name: 'Stay' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    reveal.getByRole('button', { name: 'Download .env' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toBe(`WORKFLOW_API_KEY=${secret}\n`);
  await reveal.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('status').getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  expect(await reveal.getByLabel('curl command', { exact: true }).textContent()).toContain(
    '$WORKFLOW_API_KEY',
  );
  expect(await page.evaluate(TRACES)).not.toContain(secret);

  await page.keyboard.press('Escape');
  await reveal.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /ci-prod/ });
  expect(await row.textContent()).toContain(secret.slice(-4));
  expect(await page.content()).not.toContain(secret);
  expect(await page.evaluate(TRACES)).not.toContain(secret);
  expect([...said, ...addresses].filter((text) => text.includes(secret))).toEqual([]);
  await page.reload();
  await row.getByText('127.0.0.1', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await act(page, 'ci-prod', 'Delete');
  const asked = page.getByRole('dialog', { name: 'Delete “ci-prod”?' });
  await asked.getByText(/Last used .* from 127\.0\.0\.1/).waitFor();
  await asked.getByRole('button', { name: 'Delete key' }).click();
  // The test waits until the dialog closes, because an open dialog hides the rows of the table from `getByRole`.
  await asked.waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  expect(await statusWith(secret)).toBe(401);
  expect(faults).toEqual([]);
  await close();
});

it('the dashboard asks for confirmation if the user closes the dialog of a new API key without copying the key', async () => {
  const { page, goto, close } = await dashboard.page();
  await goto('/');
  await page.getByRole('link', { name: 'API Keys', exact: true }).click();
  await create(page, 'lost');
  const reveal = page.getByRole('dialog', { name: 'Copy your new key' });
  expect(await reveal.getByRole('button', { name: 'Close' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.evaluate('history.back()');
  await reveal.getByText('You have not copied the key.').waitFor();
  await reveal.getByRole('button', { name: 'Stay' }).click();
  expect(await reveal.getByLabel('API key').inputValue()).toMatch(/^wfk_/);
  await page.keyboard.press('Escape');
  await reveal.getByRole('button', { name: 'Close without copying' }).click();
  await reveal.waitFor({ state: 'detached' });
  await create(page, 'kept');
  await reveal.getByRole('button', { name: 'I have saved it' }).click();
  await reveal.waitFor({ state: 'detached' });
  await close();
});

it('the form for a new API key shows an error at each invalid field and keeps the typed values', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/api-keys');
  await openForm(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Enter a name that says what uses the key.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(256));
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Must be shorter than or equal to 255 characters').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('bad');
  await page.getByLabel('Custom').check();
  await page.getByRole('checkbox', { name: 'Workflows: read' }).waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose at least one permission.').waitFor();
  await page.getByRole('checkbox', { name: 'Workflows: read' }).check();
  await page.getByLabel('Expires').selectOption('custom');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Choose a date.').waitFor();
  await page.getByLabel('Expires').selectOption('never');
  await page.getByText('works until it is deleted').waitFor();
  await page.getByText('Allowed addresses').click();
  await page.getByLabel('Addresses').fill('127.0.0.1\nnot an address');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Entry 2: must be an IP address or a CIDR range').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('bad');
  await page.getByLabel('Addresses').fill('');
  await page.getByRole('button', { name: 'Add my current address' }).click();
  expect(await page.getByLabel('Addresses').inputValue()).toBe('127.0.0.1');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('row', { name: /bad.*1 scope.*1 range.*never/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('after a key rotation in the dashboard, the old API key still works before the chosen expiry time', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/api-keys');
  const old = await create(page, 'rotated');
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await act(page, 'rotated', 'Rotate');
  await page.getByRole('dialog').getByText('Last used').waitFor();
  await page.getByLabel('Old key expires').selectOption({ label: 'After 1 hour' });
  await page.getByRole('button', { name: 'Rotate key' }).click();
  const reveal = page.getByRole('dialog', { name: 'Copy your new key' });
  await reveal.getByText(`The old key …${old.slice(-4)} expires after 1 hour.`).waitFor();
  const fresh = await reveal.getByLabel('API key').inputValue();
  expect([await statusWith(old), await statusWith(fresh)]).toEqual([200, 200]);
  await reveal.getByRole('button', { name: 'I have saved it' }).click();

  await page
    .getByRole('row')
    .filter({ hasText: fresh.slice(-4) })
    .getByRole('button', { name: /Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit restrictions' }).click();
  await page.getByText('Allowed addresses').click();
  await page.getByLabel('Addresses').fill('203.0.113.7');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('row', { name: /rotated.*1 range/ }).waitFor();
  expect(await statusWith(fresh)).toBe(403);
  expect(faults).toEqual([]);
  await close();
});

it('the filters of the API key list are stored in the URL', async () => {
  const { page, goto, close } = await dashboard.page();
  await goto('/settings/api-keys?environment=staging');
  await page.getByText('No matching keys').waitFor();
  await page.getByLabel('Environment').selectOption('production');
  await page.waitForURL('**?environment=production');
  await close();
});

it('the API keys page and its dialogs have no accessibility violation, error or horizontal scrolling', async () => {
  const in10Days = new Date(Date.now() + 10 * 86_400_000).toISOString();
  await dashboard.api('POST', '/v1/keys', {
    name: 'soon',
    environment: 'production',
    expires_at: in10Days,
  });
  await dashboard.looksRight('keys', '/settings/api-keys', (page) =>
    page.getByRole('button', { name: 'Actions for soon' }).waitFor(),
  );
  await dashboard.looksRight('key-form', '/settings/api-keys', openForm);
  await dashboard.looksRight('key-reveal', '/settings/api-keys', (page) => create(page, 'shown'));
});
