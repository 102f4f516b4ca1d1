import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { overflowOf, violationsOf } from './accessibility.js';
import { CHROMIUM } from './chromium.js';
import { SpawnedProgram } from './spawned-program.js';

/** The admin account of the service, which is signed in on dashboard pages of tests. */
export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' } as const;

/** Directory for screenshots that people look at. Tests write screenshots only if `TEST_PICTURES` is set. */
const PICTURES = join('coverage', 'dashboard');
const WANTS_PICTURES = (process.env['TEST_PICTURES'] ?? '') !== '';
/** Limit of one wait for the browser, in milliseconds. It only ends a test that hangs. */
const TIMEOUT_MS = 120_000;
const WIDE = { width: 1280, height: 760 };
const NARROW = { width: 390, height: 844 };
/** The narrowest window in which a page must not scroll horizontally. WCAG 1.4.10 requires a width of 320 pixels. */
const NARROWEST = { width: 320, height: 640 };
const THEMES = ['light', 'dark'] as const;
/**
 * The console error that Chromium logs for each 4xx response. Tests ignore it, because the page itself shows the error.
 */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

/**
 * Arguments of Chromium. The GPU process is disabled, because it only takes time on a machine without a graphics card.
 */
const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'];

/** A page of the dashboard in a browser, and the errors that the page caused. */
export interface DashboardPage {
  readonly page: Page;
  /**
   * Script errors, console errors (including violations of the content security policy), and requests to
   * other origins.
   */
  readonly faults: readonly string[];
  /** Opens the page at a path below `/dashboard`. */
  goto(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The browser that test files of one process share. */
let sharedBrowser: Promise<Browser> | undefined;

/** Returns the shared browser, or launches it if there is none or it has crashed. */
async function openBrowser(): Promise<Browser> {
  const browser = await (sharedBrowser ??= launch(CHROMIUM));
  if (browser.isConnected()) return browser;
  sharedBrowser = launch(CHROMIUM);
  return sharedBrowser;
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: CHROMIUM_ARGS });
}

/**
 * A process of the built service with the dashboard, and pages of a browser. Each test file starts and stops its own:
 *
 *     beforeAll(async () => { dashboard = await TestDashboard.start(); });
 *     afterAll(() => dashboard.stop());
 */
export class TestDashboard {
  private readonly contexts: BrowserContext[] = [];
  private cookies: Awaited<ReturnType<BrowserContext['cookies']>> = [];

  private constructor(
    private readonly directory: string,
    private program: SpawnedProgram,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly browser: Browser,
    /** URL of the service: `http://127.0.0.1:<port>`, or `BASE_URL` if set. */
    readonly url: string,
    /** An API key with all scopes. Empty if the service has no account yet. */
    readonly key: string,
  ) {}

  /**
   * @param options.empty true creates no admin, so that the setup is open
   * @param options.settings settings that override those of tests
   * @param options.browser path of the browser, if it is not the usual one
   */
  static async start(
    options: {
      readonly empty?: boolean;
      readonly settings?: Readonly<Record<string, string>>;
      readonly browser?: string;
    } = {},
  ): Promise<TestDashboard> {
    const directory = mkdtempSync(join(tmpdir(), 'workflow-dashboard-'));
    const settings = { DATA_DIR: directory, DEFAULT_PLAN: 'enterprise', ...options.settings };
    const program = new SpawnedProgram('dist/src/main.js', directory, { PORT: '0', ...settings });
    const launched = options.browser === undefined ? openBrowser() : launch(options.browser);
    const url = await program.url();
    const key = options.empty === true ? '' : await firstKey(url, await setUpLink(program));
    return new TestDashboard(directory, program, settings, await launched, url, key);
  }

  async stop(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    if (this.browser !== (await sharedBrowser)) await this.browser.close();
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Kills the service with SIGKILL. Browser pages stay open. */
  async kill(): Promise<void> {
    this.program.signal('SIGKILL');
    await this.program.ended;
  }

  /** Starts the service again after `kill`, at the same address and with the same data. */
  async startAgain(): Promise<void> {
    const { port } = new URL(this.url);
    this.program = new SpawnedProgram('dist/src/main.js', this.directory, { PORT: port, ...this.settings });
    await this.program.prints(/^ {2}API +http/m);
  }

  /** Returns the link that the service printed to create the first admin. */
  setUpLink(): Promise<string> {
    return setUpLink(this.program);
  }

  /** Sends an API request with the key of the admin. @throws Error if the response is not a success */
  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /**
   * Opens a browser page with its own cookies, in which the admin is signed in.
   * @param options.ownSignIn true signs in separately, so that the test may end the sign-in; else all pages of a file
   * share one sign-in
   */
  async page(
    options: BrowserContextOptions & { readonly signedIn?: boolean; readonly ownSignIn?: boolean } = {},
  ): Promise<DashboardPage> {
    const { signedIn = true, ownSignIn = false, ...contextOptions } = options;
    const context = await this.browser.newContext({
      viewport: WIDE,
      colorScheme: 'light',
      locale: 'en',
      ...contextOptions,
    });
    this.contexts.push(context);
    context.setDefaultTimeout(TIMEOUT_MS);
    if (signedIn) await this.signIn(context, ownSignIn);
    return this.opened(context);
  }

  /** Fills in and submits the form of the sign-in page. */
  async signInOn(page: Page, password: string = ADMIN.password): Promise<void> {
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Invites a new person to the admin's team, accepts the invitation in the browser, and waits for the overview. */
  async join(opened: DashboardPage, role: string): Promise<void> {
    const team = await this.api<{ data: readonly { id: string }[] }>('GET', '/v1/teams?order=asc');
    const email = `${role}@example.com`;
    const { invitation } = await this.api<{ invitation: { url: string } }>(
      'POST',
      `/v1/teams/${team.data[0]?.id}/members`,
      { email, role },
    );
    await opened.goto(invitation.url.slice(invitation.url.indexOf('/invitation')));
    await opened.page.getByLabel('Password', { exact: true }).fill(`the ${role} looks at it`);
    await opened.page.getByRole('button', { name: 'Join' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }

  /** Signs in only once per test file unless `isOwn` is true, because checking a password is slow by design. */
  private async signIn(context: BrowserContext, isOwn: boolean): Promise<void> {
    if (!isOwn) {
      await context.addCookies([...this.cookies]);
      if ((await context.request.get(`${this.url}/v1/auth/sign-in`)).ok()) return;
    }
    const answer = await context.request.post(`${this.url}/v1/auth/sign-in`, { data: ADMIN });
    expect(answer.status(), await answer.text()).toBe(200);
    if (!isOwn) this.cookies = await context.cookies();
  }

  private async opened(context: BrowserContext): Promise<DashboardPage> {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSAL.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== new URL(this.url).origin && protocol !== 'blob:')
        faults.push(`A request to another origin: ${request.url()}`);
    });
    return {
      page,
      faults,
      goto: async (path) => void (await page.goto(`${this.url}/dashboard${path}`)),
      close: () => context.close(),
    };
  }

  /**
   * Checks a page on a wide and a narrow screen, in light and dark colors. The page must have no accessibility
   * violation, error, request to another origin or horizontal scrolling. Saves screenshots if `TEST_PICTURES` is set.
   * @param name name of the screenshots
   * @param ready waits until the page shows its final content; may also change the page, for example open a dialog
   * @param options.whenNarrow waits until the page shows its final content after the screen has become narrow
   */
  async looksRight(
    name: string,
    path: string,
    ready: (page: Page) => Promise<unknown>,
    options: {
      readonly signedIn?: boolean;
      readonly whenNarrow?: (page: Page) => Promise<unknown>;
    } = {},
  ): Promise<void> {
    const { signedIn = true, whenNarrow } = options;
    const opened = await this.page({ signedIn, reducedMotion: 'reduce' });
    try {
      const { page, faults } = opened;
      await opened.goto(path);
      await ready(page);
      await looksRightIn(page, `${name}-${WIDE.width}`);
      await page.setViewportSize(NARROW);
      await whenNarrow?.(page);
      await looksRightIn(page, `${name}-${NARROW.width}`);
      await page.setViewportSize(NARROWEST);
      expect(await overflowOf(page), `overflow of ${name} at ${NARROWEST.width} px`).toEqual([]);
      expect(faults, name).toEqual([]);
    } finally {
      await opened.close();
    }
  }
}

async function looksRightIn(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
    const variant = `${name}-${theme}`;
    await savePicture(page, variant);
    expect(await violationsOf(page), variant).toEqual([]);
    expect(await overflowOf(page), `overflow of ${variant}`).toEqual([]);
  }
}

/** Saves a screenshot for people to look at if `TEST_PICTURES` is set. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (!WANTS_PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

async function setUpLink(program: SpawnedProgram): Promise<string> {
  return (await program.prints(/^ {2}(http\S+\/setup#t=\S+)$/m))[1] ?? '';
}

/** Creates the first admin through the printed setup link. @returns an API key with all scopes */
async function firstKey(url: string, link: string): Promise<string> {
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { origin: new URL(url).origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect(response.status, path).toBeLessThan(300);
    return { answer: (await response.json()) as Readonly<Record<string, string>>, headers: response.headers };
  };
  const token = new URL(link).hash.replace('#t=', '');
  const { answer, headers } = await post('/v1/auth/set-up', { token, ...ADMIN });
  const cookie = headers.getSetCookie().map((set) => set.slice(0, set.indexOf(';')));
  const key = await post(
    '/v1/keys',
    { name: 'test', scopes: ['*'], expires_at: null },
    { cookie: cookie.join('; '), 'x-csrf-token': answer['csrf_token'] ?? '' },
  );
  return key.answer['key'] ?? '';
}
