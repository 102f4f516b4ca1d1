import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lowContrastsOf, overflowOf, violationsOf } from '../support/accessibility.js';
import { type DashboardPage, savePicture, TestDashboard } from '../support/dashboard.js';
import { createExampleObjects, type ExampleObjects } from '../support/example-objects.js';
import { FlakyServer } from '../support/flaky-server.js';
import { LayoutShifts } from '../support/layout-shifts.js';

/** Texts to wait for before a page is checked. Each text appears only when its page has loaded all its data. */
interface PageStates {
  /** The text that the page shows in a service without workflows. */
  readonly empty?: string;
  /** The texts that the page shows in a service with example objects, by path below `/dashboard`. */
  readonly filled: (objects: ExampleObjects) => Readonly<Record<string, string>>;
  readonly signedOut?: boolean;
}

/** A path that is not a page of the dashboard. */
const UNKNOWN = '/unknown/page';

/** All pages of the dashboard, by their path in `router.tsx`. */
const PAGES: Readonly<Record<string, PageStates>> = {
  '/setup': {
    filled: () => ({ '/setup': 'The admin account already exists' }),
    signedOut: true,
  },
  '/login': { filled: () => ({ '/login': 'Sign in' }), signedOut: true },
  '/invitation': {
    filled: ({ invitation }) => ({
      '/invitation': 'Open your invitation link',
      [invitation]: 'Join Default team',
    }),
    signedOut: true,
  },
  '/': { empty: 'No executions yet', filled: () => ({ '/': 'Recent failures' }) },
  '/workflows': { empty: 'No workflows yet', filled: () => ({ '/workflows': 'order-fulfillment' }) },
  '/workflows/new': { filled: () => ({ '/workflows/new': 'No nodes yet' }) },
  '/workflows/$id': {
    filled: ({ workflow, draft }) => ({
      [`/workflows/${draft}`]: 'No nodes yet',
      [`/workflows/${draft}?tab=runs`]: 'No executions yet',
      [`/workflows/${workflow}`]: 'Check stock',
      [`/workflows/${workflow}?tab=definition`]: 'No problems',
      [`/workflows/${workflow}?tab=runs`]: 'Completed',
      [`/workflows/${workflow}?tab=versions`]: 'live',
      [`/workflows/${workflow}?tab=settings`]: 'Save settings',
    }),
  },
  '/workflows/$id/edit': { filled: ({ workflow }) => ({ [`/workflows/${workflow}/edit`]: 'Check stock' }) },
  '/executions': {
    empty: 'No executions yet',
    filled: () => ({
      // This filtered URL is opened before the URL without filters. Otherwise the button that clears the filters would
      // appear and move the rows.
      '/executions?q=nothing': 'No matching executions',
      '/executions': 'nightly-import',
    }),
  },
  '/executions/compare': {
    filled: ({ compared: [base, other] }) => ({
      '/executions/compare': 'Choose two executions',
      [`/executions/compare?base=${base}&other=${other}`]: 'Graph of both executions',
    }),
  },
  '/executions/$id': {
    filled: ({ completed, failed, waiting, paused, loop }) => ({
      [`/executions/${completed}`]: 'complete at',
      [`/executions/${completed}?node=notify`]: 'Send the confirmation with the tracking number',
      [`/executions/${failed}`]: 'Show the failed node',
      [`/executions/${failed}?node=charge&tab=attempts`]: 'Attempt 1',
      [`/executions/${waiting}`]: 'Approve',
      [`/executions/${paused}?tab=events`]: 'live at',
      [`/executions/${loop}?node=each`]: 'Each region',
    }),
  },
  '/failures': { empty: 'No failures', filled: () => ({ '/failures': 'http_status_error' }) },
  '/sessions': { empty: 'No sessions yet', filled: () => ({ '/sessions': 'Customer 4711' }) },
  '/sessions/$id': {
    filled: ({ session }) => ({
      [`/sessions/${session}`]: 'completed',
      [`/sessions/${session}?tab=runs`]: 'Completed',
      [`/sessions/${session}?tab=state`]: 'paid',
    }),
  },
  '/schedules': { empty: 'No schedules yet', filled: () => ({ '/schedules': 'Morning report' }) },
  '/schedules/$id': {
    filled: ({ schedule }) => ({
      [`/schedules/${schedule}`]: 'Started',
      [`/schedules/${schedule}?tab=upcoming`]: 'in ',
      [`/schedules/${schedule}?tab=month`]: 'Mon',
    }),
  },
  '/hooks': { empty: 'No hooks yet', filled: () => ({ '/hooks': 'Shop orders' }) },
  '/hooks/$id': {
    filled: ({ hook }) => ({
      [`/hooks/${hook}`]: 'Refused',
      [`/hooks/${hook}?tab=templates`]: 'deduplication',
    }),
  },
  '/events': { filled: () => ({ '/events': 'Waiting for events' }) },
  '/approvals/$token': {
    filled: ({ approval }) => ({
      [`/approvals/${approval}`]: '420 is to be paid.',
      '/approvals/unknown': "Couldn't load the approval",
    }),
  },
  '/node-types': {
    filled: () => ({ '/node-types': 'Calls a URL', '/node-types?type=http': 'Parameters' }),
  },
  '/settings/profile': { filled: () => ({ '/settings/profile': 'This browser' }) },
  '/settings/api-keys': { filled: () => ({ '/settings/api-keys': 'ci-production' }) },
  '/settings/members': { empty: 'Owner', filled: () => ({ '/settings/members': 'grace@example.com' }) },
  '/settings/teams': { filled: () => ({ '/settings/teams': 'Payments' }) },
  '/settings/projects': { filled: () => ({ '/settings/projects': 'Billing' }) },
  '/settings/rate-limits': { filled: () => ({ '/settings/rate-limits': 'Plan of this team' }) },
  '/settings/webhooks': {
    empty: 'No webhooks yet',
    filled: () => ({ '/settings/webhooks': 'down.invalid' }),
  },
  '/settings/webhooks/$id': { filled: ({ webhook }) => ({ [`/settings/webhooks/${webhook}`]: 'Delivered' }) },
  '/settings/secrets': { empty: 'No secrets yet', filled: () => ({ '/settings/secrets': 'PAYMENT_KEY' }) },
  '/settings/audit-log': { filled: () => ({ '/settings/audit-log': 'Secret created' }) },
  '/settings/operations': { empty: 'SQLite', filled: () => ({ '/settings/operations': 'Largest tables' }) },
  '/settings/about': { filled: () => ({ '/settings/about': 'Running since' }) },
  [UNKNOWN]: { filled: () => ({ [UNKNOWN]: 'Page not found' }) },
};

/** A screen on which the pages are opened. */
interface Screen {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** An additional width, in pixels, at which the test checks only for horizontal scrolling. */
  readonly otherWidth: number;
}

const SCREENS: readonly Screen[] = [
  { colorScheme: 'light', width: 1440, height: 900, otherWidth: 1280 },
  // WCAG 1.4.10 requires a width of 320 pixels.
  { colorScheme: 'dark', width: 390, height: 844, otherWidth: 320 },
];

let server: FlakyServer;
let dashboard: TestDashboard;

beforeAll(async () => {
  server = await FlakyServer.start();
  dashboard = await TestDashboard.start({ settings: { EGRESS_ALLOW: server.address } });
});

afterAll(async () => {
  await dashboard?.stop();
  await server?.stop();
});

it('the accessibility tests cover every route of the dashboard', () => {
  const source = readFileSync('dashboard/src/router.tsx', 'utf8');
  const routes = [...source.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path]) => path);
  expect(routes.length).toBe(source.match(/createRoute\(/g)!.length - 1);
  expect(new Set(Object.keys(PAGES))).toEqual(new Set([...routes, UNKNOWN]));
});

/** A browser tab that opens one page of the dashboard after the other, because a new tab for each page would take long. */
interface Tab extends DashboardPage {
  readonly shifts: LayoutShifts;
}

async function openTab({ colorScheme, width, height }: Screen, signedIn: boolean): Promise<Tab> {
  const opened = await dashboard.page({
    signedIn,
    reducedMotion: 'reduce',
    colorScheme,
    viewport: { width, height },
  });
  // The clock is fixed, because a running duration moves its neighbors when its text becomes longer.
  await opened.page.clock.setFixedTime(Date.now() + 60_000);
  const shifts = await LayoutShifts.watch(opened.page);
  await opened.goto(signedIn ? '/settings/about' : '/login');
  await shifts.quiet();
  return { ...opened, shifts };
}

/** Waits until a tab shows a text and has no open request. */
async function complete({ page, shifts }: Tab, path: string, shown: string): Promise<void> {
  try {
    await page.getByText(shown).locator('visible=true').first().waitFor();
  } catch (error) {
    const text = await page.locator('body').innerText();
    throw new Error(`The page ${path} does not show "${shown}", but: ${text}`, { cause: error });
  }
  await shifts.quiet();
}

/** Opens all dashboard pages on one screen. */
class Visitor {
  private constructor(
    private readonly screen: Screen,
    /**
     * Tab that opens pages by navigation in the dashboard. The pages are checked in this tab, because the other tab would
     * have to load axe again for each page.
     */
    private readonly navigating: Tab,
    /** Tab that opens pages by loading their URL. */
    private readonly loading: Tab,
  ) {}

  static async open(screen: Screen, signedIn: boolean): Promise<Visitor> {
    return new Visitor(screen, await openTab(screen, signedIn), await openTab(screen, signedIn));
  }

  async close(): Promise<void> {
    await this.navigating.close();
    await this.loading.close();
  }

  /** Opens a page by navigation in the dashboard, then by loading its URL. Returns all defects. */
  async defectsOf(path: string, shown: string): Promise<readonly string[]> {
    const { navigating, loading } = this;
    const { page } = navigating;
    const { colorScheme, width, height, otherWidth } = this.screen;
    const tabs = [navigating, loading].map(({ faults }) => ({ faults, before: faults.length }));
    const name = `page${path.replaceAll(/\W+/g, '-')}`;
    const defects: string[] = [];
    const note = (what: string, found: readonly string[], at = width): void =>
      void defects.push(...found.map((one) => `${what}, ${at} px: ${one}`));

    await navigating.shifts.take();
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/dashboard${path}`)})`);
    await complete(navigating, path, shown);
    note('layout shift after navigation', await navigating.shifts.take());

    // The browser would not load a URL that differs from the current URL only in its hash. The other document has the
    // same origin, because each change of origin starts a new browser process.
    if (path.includes('#')) await loading.page.goto(`${dashboard.url}/health/live`);
    await loading.goto(path);
    await complete(loading, path, shown);
    note('layout shift after loading', await loading.shifts.take());
    note('overflow after loading', await overflowOf(loading.page));

    note('overflow', await overflowOf(page));
    note(`violation, ${colorScheme}`, await violationsOf(page));
    note(`contrast, ${colorScheme}`, await lowContrastsOf(page));
    await savePicture(page, `${name}-${width}-${colorScheme}`);

    await page.setViewportSize({ width: otherWidth, height });
    note('overflow', await overflowOf(page), otherWidth);
    await savePicture(page, `${name}-${otherWidth}-${colorScheme}`);
    await page.setViewportSize({ width, height });
    for (const { faults, before } of tabs) note('error', faults.slice(before));
    return defects;
  }
}

const pagesWhere = (isWanted: (states: PageStates) => boolean) =>
  Object.entries(PAGES).filter(([, states]) => isWanted(states));

describe('a page has no accessibility violation, layout shift or horizontal scrolling', () => {
  let visitors: readonly Visitor[] = [];

  const open = async (signedIn: boolean): Promise<void> => {
    visitors = await Promise.all(SCREENS.map((screen) => Visitor.open(screen, signedIn)));
  };
  const close = () => Promise.all(visitors.map((visitor) => visitor.close()));
  const defectsOf = async (path: string, shown: string): Promise<readonly string[]> =>
    (await Promise.all(visitors.map((visitor) => visitor.defectsOf(path, shown)))).flat();

  beforeAll(() => open(true));

  afterAll(close);

  describe('in an empty service', () => {
    it.each(pagesWhere(({ empty }) => empty !== undefined))(
      'the dashboard page %s of an empty service has no accessibility violation, layout shift or horizontal scrolling',
      async (path, { empty = '' }) => {
        expect(await defectsOf(path, empty)).toEqual([]);
      },
    );
  });

  describe('in a service with example objects', () => {
    let objects: ExampleObjects;

    beforeAll(async () => {
      objects = await createExampleObjects(dashboard, server);
      // New tabs, because the dashboard in the old ones has cached empty lists.
      await close();
      await open(true);
    });

    it.each(pagesWhere(({ signedOut = false }) => !signedOut))(
      'the dashboard page %s of a service with data has no accessibility violation, layout shift or horizontal scrolling',
      async (_, { filled }) => {
        for (const [path, shown] of Object.entries(filled(objects)))
          expect(await defectsOf(path, shown), path).toEqual([]);
      },
    );

    describe('without a sign-in', () => {
      beforeAll(async () => {
        await close();
        await open(false);
      });

      it.each(pagesWhere(({ signedOut = false }) => signedOut))(
        'the dashboard page %s, which needs no sign-in, has no accessibility violation, layout shift or horizontal scrolling',
        async (_, { filled }) => {
          for (const [path, shown] of Object.entries(filled(objects)))
            expect(await defectsOf(path, shown), path).toEqual([]);
        },
      );
    });
  });
});
