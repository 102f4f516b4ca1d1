import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { PICTURE_CHROMIUM } from '../support/chromium.js';
import { TestDashboard } from '../support/dashboard.js';
import { fixedPath, fixResponses } from '../support/fixed-responses.js';
import { halved, looksAsBefore } from '../support/pictures.js';

let dashboard: TestDashboard;

beforeAll(async () => {
  dashboard = await TestDashboard.start({ browser: PICTURE_CHROMIUM });
});

afterAll(() => dashboard?.stop());

/** Time of the first event in the screenshots. */
const BEGIN = Date.parse('2026-03-05T14:02:11.208Z');
/** Time between two events in the screenshots. */
const STEP_MS = 170;
/** Id that replaces the id of the execution in the screenshots. */
const FIXED = '0199a8c0-5b5e-77e8-abe9-0000c0ffee01';

interface Made {
  readonly id: string;
}

interface Timed {
  readonly sequence: number;
  created_at: string;
}

/**
 * Replaces the id and the times of an execution in responses of the service, because they would differ in each
 * screenshot.
 */
async function fix(page: Page, id: string): Promise<void> {
  await page.clock.setFixedTime(BEGIN + 60_000);
  await page.route(/\/v1\/executions\/[^/?]+(\/events)?(\?|$)/, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(FIXED, id) });
    const text = (await response.text()).replaceAll(id, FIXED);
    const body = JSON.parse(text) as { readonly data?: readonly Timed[] };
    for (const event of body.data ?? [])
      event.created_at = new Date(BEGIN + event.sequence * STEP_MS).toISOString();
    await route.fulfill({ response, body: JSON.stringify(body) });
  });
}

const NODES = [
  { id: 'request', name: 'The request', type: 'set', with: { value: { who: 'Ada', amount: 420 } } },
  {
    id: 'decision',
    name: 'Ask for approval',
    type: 'wait',
    needs: ['request'],
    with: { signal: 'decision', approval: { title: 'Expense of Ada', description: '420 is to be paid.' } },
  },
  { id: 'book', name: 'Book it', type: 'set', with: { value: '{{ nodes.decision.output.approved }}' } },
  { id: 'refuse', name: 'Tell the asker', type: 'set', needs: ['decision'], if: 'false', with: { value: 1 } },
];

async function run(): Promise<string> {
  const workflow = await dashboard.api<Made>('POST', '/v1/workflows', {
    name: 'expense-approval',
    nodes: NODES,
  });
  return (await dashboard.api<Made>('POST', `/v1/workflows/${workflow.id}/executions`, {})).id;
}

type Objects = Readonly<
  Record<
    'workflow' | 'report' | 'completed' | 'failed' | 'schedule' | 'hook' | 'webhook' | 'key' | 'team',
    string
  >
>;

type Picture = readonly [name: string, path: (objects: Objects) => string, shown: string];

/** Creates objects for every page, and returns the ids that pages use in requests. */
async function createObjects(): Promise<Objects> {
  const create = async (path: string, body: object): Promise<string> =>
    (await dashboard.api<Made>('POST', `/v1${path}`, body)).id;
  const ended = async (workflow: string): Promise<string> => {
    const { id } = await dashboard.api<Made>('POST', `/v1/workflows/${workflow}/execute?wait=60`, {});
    return id;
  };
  const workflow = await create('/workflows', {
    name: 'order-fulfillment',
    nodes: [
      { id: 'fetch', name: 'Fetch order', type: 'set', with: { value: { amount: 420 } } },
      {
        id: 'check',
        name: 'Check amount',
        type: 'fail',
        needs: ['fetch'],
        with: { message: 'Too expensive.' },
      },
      { id: 'notify', name: 'Notify', type: 'set', needs: ['check'], with: { value: 1 } },
    ],
  });
  const report = await create('/workflows', {
    name: 'sales-report',
    nodes: [{ id: 'report', name: 'Report', type: 'set', with: { value: 1 } }],
  });
  const completed = await ended(report);
  const failed = await ended(workflow);
  const [schedule, hook, webhook] = await Promise.all([
    create('/schedules', {
      workflow_id: report,
      name: 'Morning report',
      cron: '0 9 * * *',
    }),
    create('/hooks', { workflow_id: report, name: 'Shop orders' }),
    create('/webhooks', {
      url: 'https://warehouse.example/events',
      events: ['workflow.completed'],
      description: 'Warehouse',
    }),
  ]);
  await dashboard.api('POST', '/v1/secrets', { name: 'PAYMENT_KEY', value: 'sk', description: 'Payments.' });
  const [key, team] = [
    await create('/keys', { name: 'ci-production', scopes: ['workflows:read'], expires_at: null }),
    await create('/teams', { name: 'Payments' }),
  ];
  return { workflow, report, completed, failed, schedule, hook, webhook, key, team };
}

async function taken(
  name: string,
  path: string,
  options: BrowserContextOptions & { readonly signedIn?: boolean },
  ready: (page: Page) => Promise<unknown>,
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const opened = await dashboard.page({ reducedMotion: 'reduce', timezoneId: 'UTC', ...options });
  try {
    const { page } = opened;
    await prepare(page);
    await opened.goto(path);
    await ready(page);
    await page.evaluate('document.fonts.ready');
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    looksAsBefore(name, picture, majorOf(page));
  } finally {
    await opened.close();
  }
}

function majorOf(page: Page): number {
  return Number.parseInt(page.context().browser()?.version() ?? '0', 10);
}

const isShown = async (page: Page): Promise<void> => {
  await page.locator('.react-flow__node').or(page.getByRole('treeitem')).first().waitFor();
  await page.getByText('expense-approval').waitFor();
  // Waits for the status of the execution, because a narrow screen has no sidebar to wait for.
  await page.locator('[data-live-at]').waitFor();
};

describe('dashboard screenshots', () => {
  // These screenshots are taken first, because later tests create objects that the lists would also show.
  describe('at every width and in both themes', () => {
    let objects: Objects;

    beforeAll(async () => {
      objects = await createObjects();
    });

    it.each<Picture>([
      ['overview', () => '/', 'Recent failures'],
      ['executions', () => '/executions', 'Failed'],
      ['execution', (made) => `/executions/${made.failed}`, 'Show the failed node'],
      ['workflows', () => '/workflows', 'sales-report'],
      ['workflow', (made) => `/workflows/${made.workflow}`, 'Check amount'],
      ['builder', (made) => `/workflows/${made.workflow}/edit`, 'Check amount'],
      ['schedules', () => '/schedules', 'Morning report'],
      ['hooks', () => '/hooks', 'Shop orders'],
      ['webhooks', () => '/settings/webhooks', 'Warehouse'],
      ['secrets', () => '/settings/secrets', 'PAYMENT_KEY'],
      ['operations', () => '/settings/operations', 'Largest tables'],
      ['keys', () => '/settings/api-keys', 'ci-production'],
      ['teams', () => '/settings/teams', 'Payments'],
    ])(
      'the dashboard page "%s" matches its baseline screenshots at three screen widths and in both themes',
      async (name, path, shown) => {
        const opened = await dashboard.page({ reducedMotion: 'reduce', timezoneId: 'UTC' });
        try {
          const { page } = opened;
          const ids = Object.values(objects);
          await page.setViewportSize({ width: 1440, height: 900 });
          await fixResponses(page, ids, BEGIN);
          await opened.goto(fixedPath(path(objects), ids));
          await page.getByText(shown).locator('visible=true').first().waitFor();
          await page.getByText('Live', { exact: true }).first().waitFor();
          await page.evaluate('document.fonts.ready');
          await page.waitForLoadState('networkidle');
          for (const width of [1440, 1280, 390]) {
            await page.setViewportSize({ width, height: 844 });
            for (const colorScheme of ['light', 'dark'] as const) {
              await page.emulateMedia({ colorScheme });
              await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' });
              const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
              looksAsBefore(`${name}-${width}-${colorScheme}`, halved(picture), majorOf(page));
            }
          }
        } finally {
          await opened.close();
        }
      },
    );
  });

  it('the sign-in page matches its baseline screenshots', async () => {
    const ready = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      await taken(`sign-in-${colorScheme}`, '/login', { signedIn: false, colorScheme }, ready);
  });

  it('the pages of a waiting and a completed execution match their baseline screenshots', async () => {
    const id = await run();
    await taken('run-waits-light', `/executions/${id}?node=decision&tab=attempts`, {}, isShown, (page) =>
      fix(page, id),
    );
    await dashboard.api('POST', `/v1/executions/${id}/signals/decision`, { payload: { approved: true } });
    const over = (page: Page): Promise<void> => page.getByText(/^complete at event /).waitFor();
    for (const [name, options] of [
      ['light', {}],
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 390, height: 844 } }],
    ] as const)
      await taken(
        `run-${name}`,
        `/executions/${id}?node=book`,
        options,
        async (page) => {
          await isShown(page);
          await over(page);
        },
        (page) => fix(page, id),
      );
  });
});
