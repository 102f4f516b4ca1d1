import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

async function onPage(
  path: string,
  look: (page: Page, opened: DashboardPage) => Promise<void>,
): Promise<void> {
  const opened = await dashboard.page();
  try {
    await opened.goto(path);
    await look(opened.page, opened);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

/** All pages of the sidebar: path and title. */
const PAGES = [
  ['/', 'Overview'],
  ['/workflows', 'Workflows'],
  ['/executions', 'Executions'],
  ['/sessions', 'Sessions'],
  ['/events', 'Events'],
  ['/node-types', 'Node types'],
  ['/settings/profile', 'Profile'],
  ['/settings/api-keys', 'API Keys'],
  ['/settings/members', 'Members'],
  ['/settings/teams', 'Teams'],
  ['/settings/projects', 'Projects'],
  ['/settings/rate-limits', 'Rate limits'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/secrets', 'Secrets'],
  ['/settings/audit-log', 'Audit log'],
  ['/settings/operations', 'Operations'],
  ['/settings/about', 'About'],
] as const;

it('every page in the sidebar shows its title on the page and in the browser tab', () =>
  onPage('/', async (page, { goto }) => {
    for (const [path, name] of PAGES) {
      await goto(path);
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Workflow Service`);
      expect(await page.getByRole('alert').count(), path).toBe(0);
    }
  }));

describe('layout', () => {
  it('a button opens the menu on a narrow screen', () =>
    dashboard.looksRight('menu', '/workflows', (page) => page.getByText('No workflows yet').waitFor(), {
      whenNarrow: async (page) => {
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'API Keys' }).waitFor();
      },
    }));

  it('the menu of a narrow screen closes when the user opens a page from the menu', async () => {
    const { page, goto, close } = await dashboard.page({ viewport: { width: 390, height: 844 } });
    await goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Executions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await close();
  });

  it('the dashboard connects to the stream of live events', () =>
    onPage('/', (page) => page.getByText('Live', { exact: true }).waitFor()));
});

describe('keyboard', () => {
  it('keyboard shortcuts open pages and change the theme, and the theme stays after a reload', () =>
    onPage('/', async (page) => {
      await page.getByText('No executions yet').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await page.getByText('No workflows yet').waitFor();
      const theme = () => page.evaluate('document.documentElement.dataset.theme');
      expect(await theme()).toBe('light');
      await page.keyboard.press('t');
      expect(await theme()).toBe('dark');
      await page.reload();
      expect(await theme()).toBe('dark');
    }));

  it('keys do not trigger shortcuts while the user types in a filter', () =>
    onPage('/settings/api-keys', async (page) => {
      await page.getByRole('row', { name: /^test/ }).waitFor();
      await page.keyboard.press('f');
      await page.keyboard.type('tgs');
      await page.getByText('No matching keys').waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('?q=tgs');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('row', { name: /^test/ }).waitFor();
    }));

  it('a user can turn off single-key shortcuts in the dialog that lists all shortcuts', () =>
    onPage('/', async (page) => {
      await page.getByText('No executions yet').waitFor();
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await sheet.getByText('Go to Executions').waitFor();
      await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click();
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await page.keyboard.press('t');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    }));

  it('the command palette finds pages and workflows', async () => {
    const { id } = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
      name: 'Order fulfillment',
    });
    try {
      await onPage('/', async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('order');
        await page.getByRole('option', { name: 'Order fulfillment Workflow' }).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/workflows/${id}`);
        await page.getByRole('heading', { name: 'Order fulfillment' }).waitFor();
      });
      await dashboard.looksRight('palette', '/', async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('option', { name: 'Executions' }).waitFor();
      });
    } finally {
      await dashboard.api('DELETE', `/v1/workflows/${id}`);
    }
  });
});

describe('list pages', () => {
  it('a list shows the number of new rows on a button, and a user can open a row with the keyboard', async () => {
    const { id } = await dashboard.api<{ id: string }>('POST', '/v1/workflows', {
      name: 'greeting',
      nodes: [{ id: 'greet', type: 'set', with: { value: 'hello' } }],
    });
    const start = () => dashboard.api<{ id: string }>('POST', `/v1/workflows/${id}/executions`, {});
    const runs = [await start(), await start()];
    await onPage('/executions', async (page) => {
      await page.getByRole('table', { name: 'Executions' }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await start();
      await page.getByRole('button', { name: '1 new' }).click();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/executions/${runs[1]?.id}`);
    });
  });

  const refuse = (page: Page, path: string, isBroken: () => boolean) =>
    page.route(
      (url) => !url.pathname.startsWith('/dashboard') && url.pathname.endsWith(path),
      (route) =>
        isBroken()
          ? route.fulfill({
              status: 429,
              json: {
                error: {
                  type: 'rate_limit_error',
                  code: 'rate_limited',
                  message: 'Not now.',
                  request_id: 'req-7',
                },
              },
            })
          : route.fallback(),
    );

  it('a list that is loading or failed to load has no accessibility violation or horizontal scrolling', async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await dashboard.looksRight('list-loading', '/sessions', async (page) => {
      await page.route('**/v1/sessions?*', (route) => void held.then(() => route.abort()));
      await page.reload();
      await page.getByRole('status', { name: 'Loading' }).waitFor();
    });
    answer();
    await dashboard.looksRight('list-error', '/sessions', async (page) => {
      await refuse(page, '/v1/sessions', () => true);
      await page.reload();
      await page.getByText("Couldn't load the sessions.").waitFor();
    });
  });

  it('a list that fails to load shows the request id, and loads after "Try again"', () =>
    onPage('/', async (page, { goto }) => {
      for (const [path, api, fault] of [
        ['/', '/v1/executions/stats', "Couldn't load the statistics."],
        ['/', '/v1/executions', "Couldn't load the executions."],
        ['/workflows', '/v1/workflows', "Couldn't load the workflows."],
        ['/executions', '/v1/executions', "Couldn't load the executions."],
        ['/sessions', '/v1/sessions', "Couldn't load the sessions."],
        ['/node-types', '/v1/node-types', "Couldn't load the node types."],
        ['/settings/api-keys', '/v1/keys', "Couldn't load the keys."],
        ['/settings/members', '/members', "Couldn't load the members."],
        ['/settings/teams', '/v1/teams', "Couldn't load the teams."],
        ['/settings/projects', '/v1/projects', "Couldn't load the projects."],
        ['/settings/rate-limits', '/v1/rate-limits', "Couldn't load the limits."],
        ['/settings/audit-log', '/v1/audit-log', "Couldn't load the entries."],
        ['/settings/about', '/server/version', "Couldn't load the version."],
      ] as const) {
        let broken = true;
        await refuse(page, api, () => broken);
        await goto(path);
        const note = page.getByRole('alert').filter({ hasText: fault });
        await note.first().waitFor();
        expect(await note.first().textContent(), path).toContain('req-7');
        broken = false;
        for (const left of Array.from({ length: await note.count() }, () => note.first()))
          await left.getByRole('button', { name: 'Try again' }).click();
        await note.first().waitFor({ state: 'detached' });
        await page.unrouteAll();
      }
    }));
});
