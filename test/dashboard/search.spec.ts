import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start();
});

afterAll(() => dashboard.stop());

async function onPage(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const opened = await dashboard.page();
  try {
    await opened.goto(path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    await look(opened.page);
    expect(opened.faults).toEqual([]);
  } finally {
    await opened.close();
  }
}

async function workflow(name: string, nodes: readonly object[]): Promise<string> {
  return (await dashboard.api<{ id: string }>('POST', '/v1/workflows', { name, nodes })).id;
}

async function run(id: string, body: object = {}): Promise<string> {
  const path = `/v1/workflows/${id}/executions`;
  return (await dashboard.api<{ id: string }>('POST', path, body)).id;
}

const status = (id: string) => async (): Promise<string> =>
  (await dashboard.api<{ status: string }>('GET', `/v1/executions/${id}`)).status;

/** Opens the command palette, types the text, and waits until an option has the given name. */
async function palette(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: option }).first().waitFor();
}

/** Moves to an option of the command palette with the arrow keys, and selects the option with Enter. */
async function choose(page: Page, option: string | RegExp): Promise<void> {
  const wanted = page.getByRole('option', { name: option }).first();
  for (let n = 0; n < 40 && (await wanted.getAttribute('aria-selected')) !== 'true'; n += 1)
    await page.keyboard.press('ArrowDown');
  expect(await wanted.getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Enter');
}

describe('the order demo', () => {
  it('a user can start the order demo with one click on the empty overview', () =>
    onPage('/', async (page) => {
      await page.getByRole('button', { name: 'Run the order demo' }).click();
      await page.waitForURL('**/executions/*');
      const id = new URL(page.url()).pathname.slice(-36);
      await expect.poll(status(id)).toBe('completed');
      const { output } = await dashboard.api<{ output: unknown }>('GET', `/v1/executions/${id}`);
      expect(output).toEqual({ order_id: '4711', total: 58.5, deliverable: true });
    }));

  it('the dialog for a new workflow offers the demo workflow and the folders of `examples` as templates', () =>
    onPage('/workflows', async (page) => {
      await page.getByRole('button', { name: 'Create workflow' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create workflow' });
      await dialog.getByRole('radio', { name: 'Order demo' }).waitFor();
      await dialog.getByRole('group', { name: 'Examples' }).waitFor();
      await dialog.getByRole('radio', { name: 'Order fulfillment' }).check();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('From an example');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'From an example' }).waitFor();
    }));
});

describe('the command palette', () => {
  it('the command palette finds an execution by words of its error or by the end of its id', async () => {
    const failing = await workflow('Zebra crossing', [
      { id: 'stop', type: 'fail', with: { message: 'The quagga refused.' } },
    ]);
    const id = await run(failing);
    await expect.poll(status(id)).toBe('failed');
    for (const text of ['quagga refused', id.slice(-8)])
      await onPage('/', async (page) => {
        await palette(page, text, new RegExp(`Zebra crossing · ${id.slice(-8)}`));
        await choose(page, new RegExp(`^Zebra crossing · ${id.slice(-8)}`));
        await page.waitForURL(`**/executions/${id}`);
      });
  });

  it('the command palette groups results by kind and has no accessibility violation', () =>
    dashboard.looksRight('palette-results', '/', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await palette(page, 'zebra', /^Zebra crossing/);
      await page.getByRole('listbox').getByText('Workflows', { exact: true }).waitFor();
    }));

  it('the command palette shows "No results" if nothing matches', () =>
    onPage('/', async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('giraffe');
      await page.getByText('No results').waitFor();
    }));

  it('a user can create a workflow through the command palette with the keyboard only', () =>
    onPage('/settings/about', async (page) => {
      await palette(page, 'create work', 'Create workflow');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Create workflow' }).waitFor();
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    }));

  it('a user can create an API key through the command palette with the keyboard only', () =>
    onPage('/events', async (page) => {
      await palette(page, 'create key', 'Create key');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
      await page.keyboard.type('Palette key');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByLabel('API key').inputValue()).toMatch(/^wfk_/);
    }));

  it('a user can start, pause, resume, cancel and retry an execution through the command palette', async () => {
    await workflow('Okapi', [{ id: 'hold', type: 'wait', with: { signal: 'go' } }]);
    await onPage('/', async (page) => {
      await palette(page, 'run okapi', 'Run Okapi…');
      await choose(page, 'Run Okapi…');
      await page.getByRole('dialog', { name: 'Run Okapi' }).waitFor();
      await page.getByRole('button', { name: 'Run workflow' }).press('Enter');
      await page.waitForURL('**/executions/*');
      const id = page.url().slice(-36);
      await expect.poll(status(id)).toBe('waiting');
      for (const [verb, reached] of [
        ['Pause', 'paused'],
        ['Resume', 'waiting'],
      ] as const) {
        await palette(page, verb, new RegExp(`^${verb} this execution`));
        await choose(page, new RegExp(`^${verb} this execution`));
        await expect.poll(status(id)).toBe(reached);
        await page.getByText(`Execution ${verb.toLowerCase()}d`).first().waitFor();
      }
      await palette(page, 'cancel', /^Cancel this execution/);
      await choose(page, /^Cancel this execution/);
      await page.getByRole('button', { name: 'Cancel execution' }).press('Enter');
      await expect.poll(status(id)).toBe('cancelled');
      await page.getByText('Execution cancelled').first().waitFor();
      await palette(page, 'retry', /^Retry this execution/);
      await choose(page, /^Retry this execution/);
      await page.waitForURL((url) => !url.pathname.endsWith(id));
    });
  });

  it('the command palette performs an action when the user clicks the action', () =>
    onPage('/', async (page) => {
      await page.getByRole('button', { name: /^Search/ }).click();
      await page.keyboard.type('okapi');
      await page.getByRole('option', { name: 'Run Okapi…' }).click();
      await page.getByRole('dialog', { name: 'Run Okapi' }).waitFor();
    }));

  it('a user can switch to another team through the command palette', async () => {
    await dashboard.api('POST', '/v1/teams', { name: 'Giraffe team' });
    const opened = await dashboard.page({ ownSignIn: true });
    try {
      await opened.goto('/');
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      await palette(opened.page, 'giraffe', /^Go to team Giraffe team/);
      await choose(opened.page, /^Go to team Giraffe team/);
      await opened.page.getByRole('button', { name: /Team and project: Giraffe team/ }).waitFor();
    } finally {
      await opened.close();
    }
  });
});

describe('searches in lists', () => {
  it('the search field of the list of executions finds executions by words of their input', async () => {
    const echo = await workflow('Echo', [{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
    const id = await run(echo, { input: { mail: 'gnu@example.com' } });
    await onPage('/executions', async (page) => {
      await page
        .getByRole('searchbox')
        .or(page.getByLabel('ID, words or key=value'))
        .first()
        .fill('gnu@exam');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
      await page.getByText(id.slice(-8)).first().waitFor();
    });
  });

  it.each(['/sessions', '/schedules', '/hooks', '/settings/webhooks', '/settings/api-keys'])(
    'the search field of the dashboard page %s filters the list on the page',
    (path) =>
      // The URL has a filter, because an empty list without filters shows no search field.
      onPage(`${path}?q=some`, async (page) => {
        await page.getByLabel('Search by name or ID').fill('nobody has this name');
        await page.waitForURL(/q=nobody/);
        await expect.poll(() => page.locator('tbody tr').count()).toBe(0);
      }),
  );
});

it('the sidebar needs no scrolling on a screen of 1280 by 720 pixels', () =>
  onPage('/', async (page) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const overflow = await page
      .getByRole('complementary', { name: 'Side bar' })
      .evaluate((bar: { scrollHeight: number; clientHeight: number }) => bar.scrollHeight - bar.clientHeight);
    expect(overflow).toBe(0);
    const account = await page.getByRole('button', { name: /^Account/ }).boundingBox();
    expect((account?.y ?? 720) + (account?.height ?? 0)).toBeLessThanOrEqual(720);
  }));
