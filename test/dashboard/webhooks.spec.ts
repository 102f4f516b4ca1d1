import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { Keyboard } from '../support/keyboard.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let dashboard: TestDashboard;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  dashboard = await TestDashboard.start({ settings: { EGRESS_ALLOW: receiver.address } });
});

afterAll(async () => {
  await dashboard?.stop();
  await receiver?.stop();
});

it('a user can create, test, replay, pause, edit and delete a webhook', async () => {
  const nodes = [{ id: 'greet', type: 'set', with: { value: 'hello' } }];
  const workflow = await dashboard.api<{ id: string }>('POST', '/v1/workflows', { name: 'Report', nodes });
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook' });
  await dialog.getByLabel('URL').fill('http://10.0.0.1/');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText(/private address/).waitFor();
  await dialog.getByLabel('URL').fill(receiver.url());
  await dialog.getByLabel('Events').fill('workflow.completed workflow.failed');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const reveal = page.getByRole('dialog', { name: 'Copy the signing secret' });
  expect(await reveal.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
  await reveal.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { level: 1, name: receiver.address }).waitFor();
  await page.getByText('No deliveries yet').waitFor();

  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('row', { name: /webhook\.test.*Delivered/ }).waitFor();
  await dashboard.api('POST', `/v1/workflows/${workflow.id}/executions`, {});
  const completed = page.getByRole('row', { name: /workflow\.completed.*Delivered/ });
  await completed.waitFor();
  await completed.getByRole('button', { name: 'workflow.completed' }).click();
  const delivery = page.getByRole('dialog', { name: 'workflow.completed' });
  await delivery.getByText('webhook-signature').waitFor();
  expect(await delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem').count()).toBe(1);
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await expect
    .poll(() => delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem').count())
    .toBe(2);
  await delivery.getByRole('button', { name: 'Close' }).click();

  const before = receiver.received.length;
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start replay' }).click();
  await page.getByText('Replay finished').waitFor();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await edit.getByLabel('Filter').fill('event.type ==');
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await edit
    .getByRole('alert')
    .or(edit.getByText(/expression|unexpected|expected/i))
    .first()
    .waitFor();
  await edit.getByLabel('Filter').fill('event.sequence > 0');
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await page.getByText('event.sequence > 0').waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a user can edit a webhook directly after the rotation of its secret, before the page has read the webhook again', async () => {
  const { id } = await dashboard.api<{ id: string }>('POST', '/v1/webhooks', {
    url: receiver.url(),
    events: ['workflow.*'],
  });
  const { page, faults, goto, close } = await dashboard.page();
  await goto(`/settings/webhooks/${id}`);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  await button('Edit').waitFor();
  // From here on, the page gets no response when it reads the webhook.
  await page.route(`**/v1/webhooks/${id}`, async (route) => {
    if (route.request().method() !== 'GET') await route.continue();
  });
  await button('Rotate secret').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await button('Edit').click();
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await edit.getByLabel('Description').fill('Payments');
  await edit.getByRole('button', { name: 'Save webhook' }).click();
  await edit.waitFor({ state: 'detached' });
  await button('Pause').click();
  await button('Resume').waitFor();
  expect(await dashboard.api('GET', `/v1/webhooks/${id}`)).toMatchObject({
    description: 'Payments',
    status: 'paused',
  });
  expect(faults).toEqual([]);
  await close();
  await dashboard.api('DELETE', `/v1/webhooks/${id}`);
});

it('a user can do every action on a webhook with the keyboard only', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  const keyboard = new Keyboard(page);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

  await goto('/settings/webhooks');
  await keyboard.press(button('Create webhook').first());
  const dialog = page.getByRole('dialog', { name: 'Create webhook' });
  await keyboard.isOn(dialog.getByLabel('URL'));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await keyboard.isOn(button('Create webhook').first());
  await page.keyboard.press('Enter');
  await keyboard.write(dialog.getByLabel('URL'), receiver.url());
  await keyboard.write(dialog.getByLabel('Events'), 'workflow.*');
  await keyboard.press(dialog.getByRole('button', { name: 'Create webhook' }));
  const reveal = page.getByRole('dialog', { name: 'Copy the signing secret' });
  await keyboard.press(reveal.getByRole('button', { name: 'I have saved it' }));
  await page.getByRole('heading', { level: 1, name: receiver.address }).waitFor();

  await keyboard.press(button('Send test event'));
  const row = page.getByRole('row', { name: /webhook\.test.*Delivered/ });
  await row.waitFor();
  await keyboard.isOn(button('Send test event'));
  await keyboard.press(row.getByRole('button', { name: 'webhook.test' }));
  const delivery = page.getByRole('dialog', { name: 'webhook.test' });
  const attempts = delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
  await keyboard.press(delivery.getByRole('button', { name: 'Send again' }));
  await expect.poll(() => attempts.count()).toBe(2);
  await keyboard.isOn(delivery.getByRole('button', { name: 'Send again' }));
  await keyboard.press(delivery.getByRole('button', { name: 'Close' }));
  await keyboard.isOn(row.getByRole('button', { name: 'webhook.test' }));

  await keyboard.choose(page.getByRole('combobox', { name: 'Status' }), 'Failed');
  await page.getByText('No matching deliveries').waitFor();
  await keyboard.press(button('Clear'));
  await row.waitFor();

  await keyboard.press(button('Pause'), 'Space');
  await keyboard.isOn(button('Resume'));
  await page.keyboard.press('Space');
  await keyboard.isOn(button('Pause'));

  await keyboard.press(button('Replay'));
  const replay = page.getByRole('dialog');
  await keyboard.isOn(replay.getByLabel('Since'));
  await keyboard.press(replay.getByRole('button', { name: 'Start replay' }));
  await page.getByText('Replay finished').waitFor();
  await keyboard.isOn(button('Replay'));

  await keyboard.press(button('Rotate secret'));
  await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }));
  await keyboard.press(reveal.getByRole('button', { name: 'I have saved it' }));
  await keyboard.isOn(button('Rotate secret'));

  await keyboard.press(button('Edit'));
  const edit = page.getByRole('dialog', { name: 'Edit webhook' });
  await keyboard.write(edit.getByLabel('Filter'), 'event.sequence > 0');
  await keyboard.press(edit.getByRole('button', { name: 'Save webhook' }));
  await edit.waitFor({ state: 'detached' });
  await page.getByText('event.sequence > 0').waitFor();
  await keyboard.isOn(button('Edit'));

  await keyboard.press(page.getByRole('link', { name: 'Webhooks', exact: true }).last());
  await keyboard.press(page.getByRole('link', { name: receiver.url() }));
  await keyboard.press(button('Delete'));
  await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }));
  await page.getByText('No webhooks yet').waitFor();
  expect(faults).toEqual([]);
  await close();
});
