import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

it('the profile page refuses a wrong current password and a new password of less than 12 characters', async () => {
  const { page, faults, goto, close } = await dashboard.page({ ownSignIn: true });
  await goto('/settings/profile');
  await page.getByLabel('Current password').fill('not my password');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Use at least 12 characters.').waitFor();
  await page.getByLabel('New password').fill('a longer new password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is wrong. Try again.').waitFor();
  await page.getByLabel('Current password').fill(ADMIN.password);
  await page.getByLabel('New password').fill(`${ADMIN.password}!`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed').first().waitFor();
  await page.getByLabel('Current password').fill(`${ADMIN.password}!`);
  await page.getByLabel('New password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');

  await page.getByLabel('Name', { exact: true }).fill(' ');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Enter the name that others see.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('button', { name: 'Account: Ada Lovelace' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it("the profile page warns before the user saves allowed addresses that exclude the user's own address", async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/profile');
  const addresses = page.getByLabel('Addresses', { exact: false }).last();
  const list = page.getByRole('region', { name: 'Allowed addresses' }).getByRole('textbox');
  await addresses.waitFor();
  await list.fill('300.1.1.1');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await page.getByText('Entry 1: must be an IP address or a CIDR range').waitFor();
  await list.fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await page.getByText('This list does not include your current address, 127.0.0.1.').waitFor();
  await page.getByRole('button', { name: 'Add my current address' }).click();
  expect(await list.inputValue()).toBe('203.0.113.0/24\n127.0.0.1');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await page.getByText('Addresses saved').first().waitFor();
  await list.fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await page.getByRole('button', { name: 'Save without my address' }).click();
  const answered = () => dashboard.api('GET', '/v1/workflows').then(() => 'answers', String);
  await expect.poll(answered).toContain('403');
  await list.fill('');
  await page.getByRole('button', { name: 'Save addresses' }).click();
  await expect.poll(answered).toBe('answers');
  expect(faults).toEqual([]);
  await close();
});

it('a user can sign out another browser on the profile page', async () => {
  const other = await dashboard.page({ ownSignIn: true });
  const { page, goto, close } = await dashboard.page({ ownSignIn: true });
  await goto('/settings/profile');
  const list = page.getByRole('region', { name: 'Sign-ins' });
  await list.getByText('This browser').waitFor();
  const before = await list.getByRole('button').count();
  await list.getByRole('button').first().click();
  await expect.poll(() => list.getByRole('button').count()).toBe(before - 1);
  await other.close();
  await close();
});

it('an invitation link adds a member to the team, and is no longer valid after its first use', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Enter the email address of the person to invite.').waitFor();
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Must be an email address').waitFor();
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = new URL(await page.getByLabel('Invitation link').inputValue());
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('region', { name: 'Open invitations' }).getByText('grace@example.com').waitFor();

  const path = `${link.pathname.replace('/dashboard', '')}${link.hash}`;
  await dashboard.looksRight(
    'invitation',
    path,
    async (shown) => {
      await shown.getByLabel('Password', { exact: true }).fill('short');
      await shown.getByRole('button', { name: 'Join' }).click();
      await shown.locator('[aria-invalid="true"]').waitFor();
    },
    { signedIn: false },
  );
  const guest = await dashboard.page({ signedIn: false });
  await guest.goto(path);
  await guest.page.getByRole('heading', { name: 'Join Default team' }).waitFor();
  await guest.page.getByText(/\(ada@example\.com\) invites grace@example\.com to the team/).waitFor();
  await guest.page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
  await guest.page.getByLabel('Password', { exact: true }).fill('compilers are fun');
  expect(guest.page.url()).not.toContain('t=');
  await guest.page.getByRole('button', { name: 'Join' }).click();
  await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(guest.faults).toEqual([]);
  await guest.close();

  const late = await dashboard.page({ signedIn: false });
  await late.goto(path);
  await late.page.getByText('This invitation is no longer valid').waitFor();
  await late.close();

  await page.reload();
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Save role' }).click();
  await page.getByRole('row', { name: /Grace Hopper.*Viewer/ }).waitFor();
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove member' }).click();
  // The test waits until the dialog closes, because an open dialog hides the rows of the table from `getByRole`.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await close();
});

it('a user can accept an invitation to another team on the teams page', async () => {
  const opened = await dashboard.page({ signedIn: false });
  const { page, faults, goto, close } = opened;
  await dashboard.join(opened, 'viewer');
  await dashboard.api('POST', '/v1/teams', { name: 'Payments' });
  const admin = await dashboard.page({ ownSignIn: true });
  await admin.goto('/');
  await admin.page.getByRole('button', { name: /Team and project/ }).click();
  await admin.page.getByRole('menuitemcheckbox', { name: 'Payments' }).click();
  await admin.page.getByRole('button', { name: /Team and project.*Payments/s }).waitFor();
  await admin.goto('/settings/members');
  await admin.page.getByRole('button', { name: 'Invite member' }).click();
  await admin.page.getByLabel('Email').fill('viewer@example.com');
  await admin.page.getByRole('button', { name: 'Invite', exact: true }).click();
  await admin.page.getByLabel('Invitation link').waitFor();
  await admin.close();
  await goto('/settings/teams');
  const invitations = page.getByRole('region', { name: 'Invitations for you' });
  await invitations.getByText('Invited as member by').waitFor();
  await invitations.getByRole('button', { name: 'Join Payments' }).click();
  await page.getByRole('row', { name: /Payments.*Member/ }).waitFor();
  await invitations.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Team and project/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Payments' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('a user can create, rename and delete a project on the projects page', async () => {
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/projects');
  await page.getByRole('button', { name: 'Create project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(256));
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('Must be shorter than or equal to 255 characters').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Actions for Billing' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Invoices');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('row', { name: /Invoices/ }).waitFor();
  const projects = await dashboard.api<{ data: readonly { id: string; name: string }[] }>(
    'GET',
    '/v1/projects',
  );
  const workflow = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
    name: 'Waits',
    project_id: projects.data.find(({ name }) => name === 'Invoices')?.id,
    nodes: [{ id: 'nap', type: 'delay', with: { seconds: 3_000 } }],
  });
  await dashboard.api('POST', `/v1/workflows/${workflow.id}/executions`, {});
  await page.getByRole('button', { name: 'Actions for Invoices' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByLabel('Type Invoices to confirm').fill('Invoices');
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await dialog.getByText('Unfinished executions of this project: 1').waitFor();
  await dialog.getByLabel('Cancel unfinished executions').check();
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Invoices/ }).waitFor({ state: 'detached' });
  await goto('/settings/audit-log?action=project.created');
  await page.getByRole('cell', { name: 'Project created' }).first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the audit log shows a readable description of a request with an unknown API key', async () => {
  for (let sent = 0; sent < 2; sent += 1)
    await fetch(`${dashboard.url}/v1/users/me`, { headers: { authorization: 'Bearer unknown' } });
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/audit-log?action=key.refused');
  const row = page.getByRole('row', { name: 'API key refused: invalid_key' }).first();
  await row.getByRole('cell', { name: 'Unknown' }).waitFor();
  await row.getByRole('button', { name: 'Show Key refused' }).click();
  await page.getByRole('heading', { name: 'Refused requests' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the audit log shows the names of people, keys and resources, and can be filtered by a name', async () => {
  const key = await dashboard.api<{ id: string }>('POST', '/v1/keys', { name: 'Nightly build' });
  await dashboard.api('POST', '/v1/keys', { name: 'Another key' });
  await dashboard.api('DELETE', `/v1/keys/${key.id}`);
  const { page, faults, goto, close } = await dashboard.page();
  await goto('/settings/audit-log');
  const filter = page.getByRole('searchbox', { name: 'Name or ID' });
  await filter.fill('nightly');
  await page.getByRole('row', { name: /API key deleted.*Nightly build.*test/ }).waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  await filter.fill(key.id);
  await page.getByRole('row', { name: /API key created.*Nightly build/ }).waitFor();
  await filter.fill('ada@example');
  await page
    .getByRole('row', { name: /Signed in.*ada.*person/i })
    .first()
    .waitFor();
  await goto('/settings/api-keys');
  await page.getByRole('row', { name: /Another key.*Owner/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('tables of teams, projects and keys fit a narrow screen if a name has 255 characters', async () => {
  const name = 'x'.repeat(255);
  for (const kind of ['teams', 'projects', 'keys']) await dashboard.api('POST', `/v1/${kind}`, { name });
  await onNarrow(['/settings/teams', '/settings/projects', '/settings/api-keys'], name);
});

/**
 * Opens pages on a screen that is 390 pixels wide. Each page must show `text` in a table, without horizontal
 * scrolling.
 */
async function onNarrow(paths: readonly string[], text: string): Promise<void> {
  const { page, faults, goto, close } = await dashboard.page({ viewport: { width: 390, height: 844 } });
  for (const path of paths) {
    await goto(path);
    await page.getByRole('table').getByText(text).first().waitFor();
    const widths = await page.evaluate<readonly number[]>(
      '[document.querySelector("main").scrollWidth, document.documentElement.scrollWidth]',
    );
    expect(Math.max(...widths), path).toBe(390);
  }
  expect(faults).toEqual([]);
  await close();
}
