import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';
import { Keyboard } from '../support/keyboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

it('a user can create, test, pause, edit and delete a hook, and rotate its URL', async () => {
  const nodes = [{ id: 'greet', type: 'set', with: { value: '{{ input }}' } }];
  await dashboard.api('POST', '/v1/workflows', { name: 'Intake', status: 'active', nodes });
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/hooks');
  await page.getByText('No hooks yet').waitFor();
  await page.getByRole('button', { name: 'Create hook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create hook' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Orders');
  await dialog.getByRole('button', { name: 'Create hook' }).click();
  await dialog.getByText(/required if action is start/i).waitFor();
  await dialog.getByLabel('Workflow').selectOption('Intake');
  await dialog.getByLabel('Verification').selectOption('HMAC signature in a header');
  await dialog.getByLabel('Secret').fill('NOT_THERE');
  await dialog.getByRole('button', { name: 'Create hook' }).click();
  await dialog.getByText(/NOT_THERE does not exist/).waitFor();
  await dialog.getByLabel('Verification').selectOption('None: anyone with the URL can call the hook');
  await dialog.getByLabel('Input').fill('{{ request. }}');
  await dialog.getByRole('button', { name: 'Create hook' }).click();
  await dialog
    .getByText(/expression|Expected|Unexpected/i)
    .first()
    .waitFor();
  await dialog.getByLabel('Input').fill('{ "order": "{{ request.body.order }}" }');
  await dialog.getByRole('button', { name: 'Create hook' }).click();

  const reveal = page.getByRole('dialog', { name: 'Copy the URL of your hook' });
  const url = await reveal.getByLabel('URL', { exact: true }).inputValue();
  expect(url).toMatch(/\/hooks\/whk_[\w-]{32}$/);
  expect(await reveal.getByLabel('curl command', { exact: true }).textContent()).toContain(
    `curl -X POST ${url}`,
  );
  await page.keyboard.press('Escape');
  await reveal.getByText('You have not copied the URL.').waitFor();
  await reveal.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByText('No deliveries yet').waitFor();
  expect(await page.content()).not.toContain(url);

  const send = (to: string, body: string): Promise<Response> =>
    fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect((await send(url, '{"order":1}')).status).toBe(202);
  await page.getByRole('row', { name: /Started POST 202/ }).waitFor();
  expect((await send(url, '{')).status).toBe(400);
  await page.getByRole('row', { name: /Refused POST 400/ }).waitFor();

  await page.getByRole('button', { name: 'Send test' }).click();
  const test = page.getByRole('dialog', { name: 'Send a test to Orders' });
  await test.getByLabel('Body').fill('{ "order": 2 }');
  await test.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Test accepted').first().waitFor();
  await page.getByRole('row', { name: /Started POST \(test\) 202/ }).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  expect((await send(url, '{"order":3}')).status).toBe(409);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Active', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Rotate URL' }).click();
  const rotate = page.getByRole('dialog', { name: 'Rotate the URL of Orders?' });
  await rotate.getByLabel('Current URL stops working').selectOption('Immediately');
  await rotate.getByRole('button', { name: 'Rotate URL' }).click();
  const next = await reveal.getByLabel('URL', { exact: true }).inputValue();
  await reveal.getByText('The previous URL stops working immediately.').waitFor();
  await reveal.getByRole('button', { name: 'I have saved it' }).click();
  expect([(await send(url, '{"order":4}')).status, (await send(next, '{"order":4}')).status]).toEqual([
    404, 202,
  ]);

  await page.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Orders' });
  await edit.getByLabel('Deduplication').fill('{{ request.body.order }}');
  await edit.getByRole('button', { name: 'Save hook' }).click();
  await page.getByText('Hook saved').first().waitFor();
  await page.getByRole('tab', { name: 'Templates' }).click();
  await page.getByText('{{ request.body.order }}').first().waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete hook' }).click();
  await page.getByText('No hooks yet').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a user can do every action on a hook with the keyboard only', async () => {
  const nodes = [{ id: 'greet', type: 'set', with: { value: '{{ input }}' } }];
  await dashboard.api('POST', '/v1/workflows', { name: 'Keyed intake', nodes });
  const { page, faults, goto, close } = await dashboard.page();
  const keyboard = new Keyboard(page);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

  await goto('/hooks');
  await keyboard.press(button('Create hook').first());
  const dialog = page.getByRole('dialog', { name: 'Create hook' });
  await keyboard.isOn(dialog.getByLabel('Action'));
  await keyboard.choose(dialog.getByLabel('Workflow'), 'Keyed intake');
  await keyboard.choose(dialog.getByLabel('Verification'), 'None: anyone with the URL can call the hook');
  await keyboard.write(dialog.getByRole('textbox', { name: 'Name' }), 'Keyed orders');
  await page.keyboard.press('Enter');
  const reveal = page.getByRole('dialog', { name: 'Copy the URL of your hook' });
  await keyboard.isOn(reveal.getByLabel('URL', { exact: true }));
  await page.keyboard.press('Escape');
  await keyboard.press(reveal.getByRole('button', { name: 'Stay' }));
  await keyboard.press(reveal.getByRole('button', { name: 'I have saved it' }));
  await page.getByRole('heading', { level: 1, name: 'Keyed orders' }).waitFor();

  await keyboard.press(button('Send test'));
  const test = page.getByRole('dialog', { name: 'Send a test to Keyed orders' });
  await keyboard.write(test.getByLabel('Body'), '{ "order": 1 }');
  await keyboard.press(test.getByRole('button', { name: 'Send test' }));
  await page.getByRole('row', { name: /Started POST \(test\) 202/ }).waitFor();
  await keyboard.isOn(button('Send test'));
  await keyboard.reach(page.getByRole('row', { name: /Started POST/ }).getByRole('link'));

  await keyboard.press(button('Pause'), 'Space');
  await keyboard.isOn(button('Resume'));
  await page.keyboard.press('Space');
  await keyboard.isOn(button('Pause'));

  await keyboard.press(button('Rotate URL'));
  const rotate = page.getByRole('dialog', { name: 'Rotate the URL of Keyed orders?' });
  await keyboard.choose(rotate.getByLabel('Current URL stops working'), 'Immediately');
  await keyboard.press(rotate.getByRole('button', { name: 'Rotate URL' }));
  await keyboard.press(reveal.getByRole('button', { name: 'I have saved it' }));
  await keyboard.isOn(button('Rotate URL'));

  await keyboard.press(button('Edit'));
  const edit = page.getByRole('dialog', { name: 'Edit Keyed orders' });
  await keyboard.write(edit.getByLabel('Deduplication'), 'order-7');
  await page.keyboard.press('Enter');
  await edit.waitFor({ state: 'detached' });
  await keyboard.isOn(button('Edit'));

  await keyboard.press(page.getByRole('tab', { selected: true }), 'ArrowRight');
  await keyboard.isOn(page.getByRole('tab', { name: 'Templates' }));
  await page.getByText('order-7').waitFor();
  await keyboard.press(page.getByRole('button', { name: /^value, / }));
  await page.getByText('order-7').waitFor({ state: 'detached' });

  await keyboard.press(page.getByRole('link', { name: 'Hooks', exact: true }).last());
  await keyboard.press(page.getByRole('link', { name: 'Keyed orders', exact: true }));
  await keyboard.press(button('Delete'));
  const question = page.getByRole('dialog');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await keyboard.isOn(button('Delete'));
  await page.keyboard.press('Enter');
  await keyboard.press(question.getByRole('button', { name: 'Delete hook' }));
  await page.getByText('No hooks yet').waitFor();
  expect(faults).toEqual([]);
  await close();
});
