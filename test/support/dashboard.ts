import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { CHROMIUM } from './chromium.js';
import { SpawnedProgram } from './spawned-program.js';

/** Who is signed in on the pages of tests. */
export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' } as const;

/** Pictures of pages, for people; git knows nothing of them. */
const PICTURES = join('coverage', 'dashboard');
const WIDE = { width: 1280, height: 760 };
const NARROW = { width: 390, height: 844 };
const THEMES = ['light', 'dark'] as const;
/** What is held: WCAG 2.2 AA. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ALL_RULES = { type: 'tag', values: AXE_TAGS } as const;
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;
/** Chromium says this of each refusal that a page asked for; the page tells it in words. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;
export type Theme = (typeof THEMES)[number];

/** A page of the dashboard, and all that must not happen on it. */
export interface DashboardPage {
  readonly page: Page;
  /** Errors of scripts and of the console, violations of the policy among them, and calls of other origins. */
  readonly faults: readonly string[];
  /** Opens a path below `/dashboard`. */
  goto(path: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The built service with the built dashboard, and a browser. One for a test file:
 *
 *     beforeAll(async () => { dashboard = await TestDashboard.start(); });
 *     afterAll(() => dashboard.stop());
 */
export class TestDashboard {
  private constructor(
    private readonly directory: string,
    private program: SpawnedProgram,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly browser: Browser,
    /** `http://127.0.0.1:<port>` */
    readonly url: string,
    /** A key that may do everything; empty where there is no account yet. */
    readonly key: string,
  ) {}

  /**
   * @param options.empty leaves out the admin, so that the set-up is open
   * @param options.settings over those of tests
   */
  static async start(
    options: { readonly empty?: boolean; readonly settings?: Readonly<Record<string, string>> } = {},
  ): Promise<TestDashboard> {
    const directory = mkdtempSync(join(tmpdir(), 'workflow-dashboard-'));
    const settings = { DATA_DIR: directory, DEFAULT_PLAN: 'enterprise', ...options.settings };
    const key = options.empty === true ? '' : await bootstrap(directory, settings);
    const program = new SpawnedProgram('dist/src/main.js', directory, { PORT: '0', ...settings });
    const [, url = ''] = await program.prints(/^ {2}API +(http:\/\/127\.0\.0\.1:\d+)\/v1 /m);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    return new TestDashboard(directory, program, settings, browser, url, key);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Ends the service without a chance to do anything; pages that are open stay so. */
  async kill(): Promise<void> {
    this.program.signal('SIGKILL');
    await this.program.ended;
  }

  /** Starts it again after `kill`, at the same address on the same data. */
  async startAgain(): Promise<void> {
    const { port } = new URL(this.url);
    this.program = new SpawnedProgram('dist/src/main.js', this.directory, { PORT: port, ...this.settings });
    await this.program.prints(/^ {2}API +http/m);
  }

  /** The link by which the first admin is made. */
  async setUpLink(): Promise<string> {
    return (await this.program.prints(/^ {2}(http\S+\/setup#t=\S+)$/m))[1] ?? '';
  }

  /** Calls the API with the admin's key, to make what a page is to show. */
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** A page with the admin signed in, in a browser profile of its own. */
  async page(options: BrowserContextOptions & { readonly signedIn?: boolean } = {}): Promise<DashboardPage> {
    const { signedIn = true, ...contextOptions } = options;
    const context = await this.browser.newContext({
      viewport: WIDE,
      colorScheme: 'light',
      locale: 'en',
      ...contextOptions,
    });
    if (signedIn) await this.signInTo(context);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSAL.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== this.url && protocol !== 'blob:')
        faults.push(`A call of another origin: ${request.url()}`);
    });
    return {
      page,
      faults,
      goto: async (path) => void (await page.goto(`${this.url}/dashboard${path}`)),
      close: () => context.close(),
    };
  }

  /** @returns the cookie of a sign-in, for pages that do not end it */
  async signIn(): Promise<StorageState> {
    const context = await this.browser.newContext();
    try {
      await this.signInTo(context);
      return await context.storageState();
    } finally {
      await context.close();
    }
  }

  private async signInTo(context: BrowserContext): Promise<void> {
    const answer = await context.request.post(`${this.url}/v1/auth/sign-in`, { data: ADMIN });
    expect(answer.status(), await answer.text()).toBe(200);
  }

  /**
   * Opens a page light and dark, wide and narrow, and holds each to the same: no violation of WCAG 2.2 AA, no
   * error, no call of another origin, nothing wider than the screen. Leaves a picture of each.
   * @param name of the pictures
   * @param ready resolves when the page shows what it is to show; may bring it there, by opening a dialog
   */
  async looksRight(
    name: string,
    path: string,
    ready: (page: Page) => Promise<unknown>,
    options: { readonly signedIn?: boolean } = {},
  ): Promise<void> {
    // One sign-in for all of them: it is slow on purpose.
    const kept = options.signedIn === false ? {} : { storageState: await this.signIn() };
    mkdirSync(PICTURES, { recursive: true });
    for (const viewport of [WIDE, NARROW]) {
      const look = { viewport, colorScheme: 'light', reducedMotion: 'reduce', ...kept } as const;
      const opened = await this.page({ ...look, signedIn: false });
      try {
        const { page, faults } = opened;
        await opened.goto(path);
        await ready(page);
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          const title = `${name}-${theme}-${viewport.width}`;
          await page.screenshot({ path: join(PICTURES, `${title}.png`) });
          // The dark page differs by its colours alone.
          expect(await violationsOf(page, theme === 'light' ? undefined : COLOURS), title).toEqual([]);
          const width: unknown = await page.evaluate('document.documentElement.scrollWidth');
          expect(width, `width of ${title}`).toBe(viewport.width);
          expect(faults, title).toEqual([]);
        }
      } finally {
        await opened.close();
      }
    }
  }
}

/** What axe finds on a page, a line each: the rule, the element, and what is wrong with it. */
export async function violationsOf(page: Page, rules: axe.RunOnly = ALL_RULES): Promise<readonly string[]> {
  // By the debugger, which no content security policy stops.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

async function bootstrap(directory: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const words = ['bootstrap', '--email', ADMIN.email, '--password', ADMIN.password, '--json'];
  const program = new SpawnedProgram('dist/src/cli/main.js', directory, settings, words);
  expect((await program.ended).code, program.err).toBe(0);
  return (JSON.parse(program.out) as { readonly key: string }).key;
}
