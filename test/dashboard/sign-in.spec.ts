import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, TestDashboard } from '../support/dashboard.js';

/**
 * A service without an account. The tests run in order, because each test continues with the data of the previous test.
 */
let tested: TestDashboard;

beforeAll(async () => {
  tested = await TestDashboard.start({ empty: true });
});

afterAll(() => tested?.stop());

it('the printed setup link creates the first admin, and is invalid afterwards', async () => {
  const link = new URL(await tested.setUpLink());
  const path = `/setup${link.hash}`;
  await tested.looksRight(
    'set-up',
    path,
    (page) => page.getByRole('button', { name: 'Create account' }).waitFor(),
    {
      signedIn: false,
    },
  );
  await tested.looksRight(
    'set-up-without-link',
    '/setup',
    (page) => page.getByText('Open the set-up link from').waitFor(),
    {
      signedIn: false,
    },
  );

  const { page, faults, goto, close } = await tested.page({ signedIn: false });
  await goto('/setup#t=mistyped');
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('This link was used or has expired').waitFor();

  await goto(path);
  await page.reload();
  await goto(path);
  // The link works a second time, because opening it does not consume its token. The page removed the token from the
  // URL.
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  expect(page.url()).not.toContain('t=');
  // The typed text goes to the email field, because the first field of the form has the focus.
  await page.keyboard.type('not an address');
  await page.getByLabel('Password', { exact: true }).fill('short');
  expect(await page.getByLabel('Email').inputValue()).toBe('not an address');
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Use at least 12 characters.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Must be an email address').waitFor();
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).toMatch(/\/dashboard\/?$/);

  await goto(path);
  await page.getByText('The admin account already exists').waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the dashboard opens the requested page after sign-in, and the sign-in page after sign-out', async () => {
  const { page, faults, goto, close } = await tested.page({ signedIn: false });
  await goto('/executions?status=failed');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await tested.signInOn(page, 'a wrong password');
  await page.getByText('The email address or password is wrong.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Executions', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed');

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await goto('/executions');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the dashboard asks the user to sign in again after the session has ended', async () => {
  const { page, goto, close } = await tested.page();
  await goto('/workflows');
  await page.getByText('No workflows yet').waitFor();
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/sessions');
  await close();
});

/** Tries to sign in with a wrong password. @returns the HTTP status */
async function wrongPassword(): Promise<number> {
  const { status } = await fetch(`${tested.url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password: 'wrong' }),
  });
  return status;
}

it('the sign-in page explains why the password check is delayed after several wrong passwords', async () => {
  for (let wrong = 0; wrong < 5; wrong += 1) expect(await wrongPassword()).toBe(401);
  const { page, faults, goto, close } = await tested.page({ signedIn: false });
  await goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const waiting = [wrongPassword(), wrongPassword()];
  await Promise.race(waiting);
  await tested.signInOn(page, ADMIN.password);
  await page.getByText('the check takes up to 8 seconds').waitFor();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await Promise.all(waiting)).toEqual([401, 401]);
  expect(faults).toEqual([]);
  await close();
});

it('the sign-in page shows a countdown if too many sign-in attempts come from one network', async () => {
  for (let wrong = 0; wrong < 8; wrong += 1) await wrongPassword();
  const waiting: Promise<number>[] = [];
  await tested.looksRight(
    'login-delayed',
    '/login',
    async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      // The first 429 shows that all password checks allowed for this network are in progress. Each check takes eight
      // seconds.
      waiting.push(...Array.from({ length: 4 }, wrongPassword));
      expect(await Promise.race(waiting)).toBe(429);
      await tested.signInOn(page, ADMIN.password);
      await page.getByText('Too many sign-in attempts').waitFor();
      await page.getByText(/Try again in \d+/).waitFor();
      expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    },
    { signedIn: false },
  );
  expect((await Promise.all(waiting)).toSorted((left, right) => left - right)).toEqual([401, 401, 401, 429]);
});
