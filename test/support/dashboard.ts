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

/** The account that is signed in on test pages. */
export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' } as const;

/** Directory of screenshots for people. Written only if `TEST_PICTURES` is set, and ignored by git. */
const PICTURES = join('coverage', 'dashboard');
const WANTS_PICTURES = (process.env['TEST_PICTURES'] ?? '') !== '';
const WIDE = { width: 1280, height: 760 };
const NARROW = { width: 390, height: 844 };
/** Width at which WCAG 1.4.10 allows no horizontal scrolling. */
const NARROWEST = { width: 320, height: 640 };
const THEMES = ['light', 'dark'] as const;
/** The error that Chromium logs for each 4xx response. It is ignored, because the page itself shows the error. */
const REFUSAL = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Options of Chromium. Without a graphics card, the GPU process would only take time. */
const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer'];

/** A page of the dashboard, with all errors that occurred on it. */
export interface DashboardPage {
  readonly page: Page;
  /** Script errors, console errors including policy violations, and requests to other origins. */
  readonly faults: readonly string[];
  /** Opens a path below `/dashboard`. */
  goto(path: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The built service with the built dashboard, and a browser. Each test file starts one:
 *
 *     beforeAll(async () => { dashboard = await TestDashboard.start(); });
 *     afterAll(() => dashboard.stop());
 */
export class TestDashboard {
  private cookies: Awaited<ReturnType<BrowserContext['cookies']>> = [];

  private constructor(
    private readonly directory: string,
    private program: SpawnedProgram,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly browser: Browser,
    /** `http://127.0.0.1:<port>`, or `BASE_URL` if set. */
    readonly url: string,
    /** A key with all scopes; empty if no account exists yet. */
    readonly key: string,
  ) {}

  /**
   * @param options.empty true creates no admin, so that the setup is open
   * @param options.settings settings that override those of tests
   */
  static async start(
    options: { readonly empty?: boolean; readonly settings?: Readonly<Record<string, string>> } = {},
  ): Promise<TestDashboard> {
    const directory = mkdtempSync(join(tmpdir(), 'workflow-dashboard-'));
    const settings = { DATA_DIR: directory, DEFAULT_PLAN: 'enterprise', ...options.settings };
    const program = new SpawnedProgram('dist/src/main.js', directory, { PORT: '0', ...settings });
    const launched = chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
    const url = await program.url();
    const key = options.empty === true ? '' : await firstKey(url, await setUpLink(program));
    return new TestDashboard(directory, program, settings, await launched, url, key);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Kills the service with SIGKILL. Open pages stay open. */
  async kill(): Promise<void> {
    this.program.signal('SIGKILL');
    await this.program.ended;
  }

  /** Starts the service again after `kill`, with the same address and data. */
  async startAgain(): Promise<void> {
    const { port } = new URL(this.url);
    this.program = new SpawnedProgram('dist/src/main.js', this.directory, { PORT: port, ...this.settings });
    await this.program.prints(/^ {2}API +http/m);
  }

  /** The printed link that creates the first admin. */
  setUpLink(): Promise<string> {
    return setUpLink(this.program);
  }

  /** Calls the API with the admin's key, for example to create what a page shows. */
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
   * Opens a page in a new browser profile, in which the admin is signed in.
   * @param options.ownSignIn true for a separate sign-in, which the test may end or inspect
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
    if (signedIn) await this.signIn(context, ownSignIn);
    return this.opened(context);
  }

  /** Submits the form of the sign-in page. */
  async signInOn(page: Page, password: string = ADMIN.password): Promise<void> {
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Invites a new person to the admin's team, accepts the invitation and opens the overview as that person. */
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

  /** Signs in only once per file unless `isOwn` is set, because checking a password is slow by design. */
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
   * Checks a page in wide and narrow size, light and dark. The page must have no accessibility violation, no error, no
   * request to another origin and no horizontal scrolling. Opens the page once, and changes its size and theme in
   * place. Saves a screenshot of each variant if `TEST_PICTURES` is set.
   * @param name name of the screenshots
   * @param ready resolves when the page shows its final content; it may also produce that content, for example open a
   * dialog
   * @param options.whenNarrow resolves when the narrow page shows its final content; without it, the check continues
   * immediately
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

/** Saves a screenshot for people if `TEST_PICTURES` is set. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (!WANTS_PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

async function setUpLink(program: SpawnedProgram): Promise<string> {
  return (await program.prints(/^ {2}(http\S+\/setup#t=\S+)$/m))[1] ?? '';
}

/** Creates the admin through the printed setup link. @returns a key with all scopes */
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
