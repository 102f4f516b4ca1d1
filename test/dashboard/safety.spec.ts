import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardPage, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard?.stop());

interface Made {
  readonly id: string;
}

/** A dashboard page to check. The function `shows` waits until the page shows the untrusted text. */
type Stop = readonly [path: string, shows: (page: Page) => Promise<unknown>];

const PWN = 'document.title="pwned"';
/** A text whose script would run if a page inserted it as HTML or as a URL. */
const HOSTILE = `<img src=x onerror='${PWN}'><script>${PWN}</script>"><svg onload=${PWN}>`;

describe('untrusted input in the dashboard', () => {
  let stops: readonly Stop[];

  const shows = (text: string) => (page: Page) =>
    page.getByText(text).filter({ visible: true }).first().waitFor();

  beforeAll(async () => {
    const post = (path: string, body: unknown) => dashboard.api<Made>('POST', path, body);
    const workflow = await post('/v1/workflows', {
      name: HOSTILE,
      description: HOSTILE,
      input_schema: {
        type: 'object',
        title: HOSTILE,
        properties: { [HOSTILE]: { type: 'string', title: HOSTILE, description: HOSTILE, default: HOSTILE } },
      },
      nodes: [
        { id: 'say', name: HOSTILE, type: 'set', with: { value: { [HOSTILE]: 'javascript:alert(1)' } } },
        { id: 'stop', name: HOSTILE, type: 'fail', needs: ['say'], with: { message: HOSTILE } },
      ],
    });
    const session = await post('/v1/sessions', {
      name: HOSTILE,
      external_id: HOSTILE,
      metadata: { [HOSTILE]: HOSTILE },
    });
    const run = await post(`/v1/workflows/${workflow.id}/executions?wait=60`, {
      session_id: session.id,
      input: { [HOSTILE]: HOSTILE },
      metadata: { [HOSTILE]: HOSTILE },
    });
    await post('/v1/keys', { name: HOSTILE });
    await post('/v1/projects', { name: HOSTILE });
    await post('/v1/teams', { name: HOSTILE });
    stops = [
      ['/', shows(HOSTILE)],
      ['/workflows', shows(HOSTILE)],
      [`/workflows/${workflow.id}?node=say`, shows('say · set')],
      [`/workflows/${workflow.id}?tab=definition`, shows('No problems')],
      [`/workflows/${workflow.id}?tab=settings`, shows('Save settings')],
      ['/executions', shows('Failed')],
      [`/executions/${run.id}?node=stop`, shows('Failed')],
      ['/sessions', shows(HOSTILE)],
      [`/sessions/${session.id}?tab=state`, shows('Metadata')],
      ['/settings/api-keys', shows(HOSTILE)],
      ['/settings/projects', shows(HOSTILE)],
      ['/settings/teams', shows(HOSTILE)],
      ['/settings/audit-log', shows('API key created')],
      [`/workflows?q=${encodeURIComponent(HOSTILE)}`, shows(HOSTILE)],
      [`/executions?q=${encodeURIComponent(HOSTILE)}`, shows('Failed')],
      [`/no/${encodeURIComponent(HOSTILE)}`, shows('Page not found')],
    ];
  });

  it('every page shows untrusted names as text, and never as HTML or as a link target', async () => {
    const { page, faults, goto, close } = await dashboard.page();
    for (const [path, ready] of stops) {
      await goto(path);
      await ready(page);
      expect(await page.title(), path).not.toBe('pwned');
      expect(await page.locator('img[src="x"], svg[onload], script:not([src])').count(), path).toBe(0);
      expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i]').count(), path).toBe(0);
      expect(faults, path).toEqual([]);
    }
    await close();
  });

  it.each(['javascript:document.title="pwned"', '//evil.example', '/\\evil.example', 'https://evil.example'])(
    'the sign-in page does not redirect to an unsafe URL in its `next` parameter: %s',
    async (next) => {
      const { page, faults, goto, close } = await dashboard.page({ signedIn: false });
      await goto(`/login?next=${encodeURIComponent(next)}`);
      await dashboard.signInOn(page);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/?$/);
      expect(faults).toEqual([]);
      await close();
    },
  );
});

describe('the session cookie', () => {
  it('scripts cannot read the session cookie, and the service rejects changes without a CSRF token', async () => {
    const { page, goto, close } = await dashboard.page();
    await goto('/workflows');
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const status = await page.evaluate(
      `fetch('/v1/projects', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"forged"}',
      }).then((answer) => answer.status)`,
    );
    expect(status).toBe(403);
    expect(JSON.stringify(await dashboard.api('GET', '/v1/projects'))).not.toContain('forged');
    await close();
  });

  it('the browser refuses to show the dashboard in a frame of another site', async () => {
    const { page, close } = await dashboard.page();
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${dashboard.url}/dashboard/workflows"></iframe>`,
      }),
    );
    await page.goto('https://elsewhere.example/');
    await expect.poll(() => page.frames().length).toBe(2);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await close();
  });
});

describe('the viewer role', () => {
  let opened: DashboardPage;
  let workflow: Made;
  let session: Made;

  beforeAll(async () => {
    const nodes = [{ id: 'greet', type: 'set', with: { value: 'hello' } }];
    workflow = await dashboard.api<Made>('POST', '/v1/workflows', { name: 'Looked at', nodes });
    await dashboard.api('PATCH', `/v1/workflows/${workflow.id}`, {
      config: { timeout_seconds: 77 },
    });
    session = await dashboard.api<Made>('POST', '/v1/sessions', { name: 'Looked at' });
    await dashboard.api('POST', `/v1/workflows/${workflow.id}/executions`, {});
    opened = await dashboard.page({ signedIn: false });
    await dashboard.join(opened, 'viewer');
  });

  afterAll(() => opened?.close());

  /** The names of all buttons and checkboxes in the main part of the page. */
  const buttons = (page: Page) =>
    page
      .locator('main button:visible, main [role="checkbox"], main input[type="checkbox"]:visible')
      .evaluateAll((found) => found.map((one) => one.getAttribute('aria-label') ?? one.textContent));

  it.each([
    ['/workflows', 'Looked at', ['Previous', 'Next']],
    ['/sessions', 'Looked at', ['Previous', 'Next']],
    ['/settings/projects', 'Default project', [/^Copy ID/, 'Previous', 'Next']],
    ['/settings/teams', 'Default team', ['Previous', 'Next']],
    ['/settings/api-keys', 'No keys yet', []],
  ] as const)(
    'the page %s has no buttons that change data if the user has the role viewer',
    async (path, text, rest) => {
      const { page, goto, faults } = opened;
      await goto(path);
      await page.getByText(text).first().waitFor();
      const others = (await buttons(page)).filter(
        (name) => !rest.some((one) => (typeof one === 'string' ? one === name : one.test(name ?? ''))),
      );
      expect(others).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('a user with the role viewer can read a workflow, but cannot change or start it', async () => {
    const { page, goto, faults } = opened;
    await goto(`/workflows/${workflow.id}?tab=definition`);
    await page.getByRole('textbox', { name: 'Definition' }).click();
    await page.keyboard.type('x');
    await page.getByText('This is version 2.').waitFor();
    expect(await buttons(page)).toEqual(['Graph', 'Definition', 'Executions', 'Versions', 'Settings']);
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Compare version 1' }).waitFor();
    expect(await page.getByRole('button', { name: /Restore/ }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('a user with the role viewer can read executions and sessions, but cannot cancel or close them', async () => {
    const { page, goto, faults } = opened;
    await goto('/executions');
    await page.getByRole('table', { name: 'Executions' }).waitFor();
    expect(await page.locator('main input[type="checkbox"]').count()).toBe(0);
    await goto(`/sessions/${session.id}`);
    await page.getByRole('heading', { level: 1, name: 'Looked at' }).waitFor();
    expect(await page.getByRole('button', { name: 'Close session' }).count()).toBe(0);
    await goto('/settings/members');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Leave team']);
    await page.keyboard.press('Escape');
    const links = await page.getByRole('navigation', { name: 'Primary' }).getByRole('link').allTextContents();
    expect(links).toContain('Members');
    expect(links).not.toContain('Audit log');
    expect(faults).toEqual([]);
  });
});
