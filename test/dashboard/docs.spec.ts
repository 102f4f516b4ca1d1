import { afterAll, beforeAll, expect, it } from 'vitest';
import { violationsOf } from '../support/accessibility.js';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard?.stop());

it('the search of the docs site finds a setting without sending requests to other origins', async () => {
  const { page, faults, close } = await dashboard.page({ signedIn: false });
  await page.goto(`${dashboard.url}/docs/`);
  await page.getByRole('heading', { level: 1, name: 'Workflow Service' }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('TRUSTED_PROXIES');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/[\w-]+\.html/);
  await page.locator('main').getByText('TRUSTED_PROXIES').first().waitFor();
  expect(faults).toEqual([]);
  await close();
});

it('the docs site colors code and opens links without reloading the document', async () => {
  const { page, faults, close } = await dashboard.page({ signedIn: false, colorScheme: 'dark' });
  await page.goto(`${dashboard.url}/docs/getting-started.html`);
  await page.locator('html.dark').waitFor();
  const colors = await page.evaluate(
    "new Set([...document.querySelectorAll('pre code span')].map((span) => getComputedStyle(span).color)).size",
  );
  expect(colors).toBeGreaterThan(2);
  await page.evaluate('window.isSameDocument = true');
  await page.locator('main').getByRole('link', { name: 'Concepts' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
  expect(await page.evaluate('window.isSameDocument')).toBe(true);
  expect(faults).toEqual([]);
  await close();
});

it.each(['light', 'dark'] as const)(
  'the docs site has no accessibility violation in the %s theme',
  async (theme) => {
    const { page, close } = await dashboard.page({ signedIn: false, colorScheme: theme });
    for (const path of ['index.html', 'getting-started.html', 'node-types/http.html', 'api/workflows.html']) {
      await page.goto(`${dashboard.url}/docs/${path}`);
      await page.locator('main h1').waitFor();
      expect(await violationsOf(page), path).toEqual([]);
    }
    await close();
  },
);

it.each([
  ['/schedules', 'No schedules yet', 'schedules', 'Schedules'],
  ['/hooks', 'No hooks yet', 'hooks', 'Hooks'],
  ['/settings/webhooks', 'No webhooks yet', 'webhooks', 'Webhooks'],
  ['/settings/secrets', 'No secrets yet', 'secrets', 'Secrets'],
  ['/settings/operations', 'Processes', 'operations', 'Operations'],
  ['/settings/projects', 'Default project', 'teams', 'Teams, members and projects'],
  ['/settings/teams', 'Default team', 'teams', 'Teams, members and projects'],
  ['/settings/members', 'ada@example.com', 'teams', 'Teams, members and projects'],
  ['/workflows/:id?tab=versions', 'v1', 'versions', 'Workflow versions'],
])('the dashboard page %s links to its page in the docs', async (path, shown, page, title) => {
  const { id } = await dashboard.api<{ readonly id: string }>('POST', '/v1/workflows', {
    name: 'documented',
    nodes: [],
  });
  const opened = await dashboard.page();
  await opened.goto(path.replace(':id', id));
  await opened.page.getByText(shown).first().waitFor();
  const [docs] = await Promise.all([
    opened.page.waitForEvent('popup'),
    opened.page.getByRole('link', { name: 'Read the docs' }).press('Enter'),
  ]);
  await docs.getByRole('heading', { level: 1, name: title }).waitFor();
  expect(new URL(docs.url()).pathname).toBe(`/docs/${page}.html`);
  await opened.page.getByRole('link', { name: 'Docs', exact: true }).waitFor();
  await opened.close();
});
