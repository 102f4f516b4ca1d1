import { existsSync, readdirSync, readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Docs } from '../../src/docs/index.js';
import { documentsIn } from '../../tools/docs-site/staging.ts';
import { SECTIONS } from '../../tools/docs-site/site.ts';
import { TestService } from '../support/service.js';

const SITE = 'docs/dist';

/** HTML of each page of the built docs site, by path, such as `api/workflows.html`. */
const pages = new Map(
  readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && path !== '404.html')
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(SITE, path), 'utf8')] as const),
);

const decoded = (text: string): string =>
  decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'));

function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => decoded(value));
}

/** Links within the docs site: the page with the link, the target file and the anchor. */
const links = [...pages].flatMap(([page, html]) =>
  [...attributes(html, 'href'), ...attributes(html, 'src')]
    .filter((link) => !/^(https?:|mailto:|data:)/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { page, link, anchor, file: path === '' ? page : posix.join(posix.dirname(page), path) };
    }),
);

describe('the built docs site', () => {
  it('the docs site has a page for each document, each node type and each part of the API', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([
        'index.html',
        'getting-started.html',
        'settings.html',
        'node-types/http.html',
        'node-types/foreach.html',
        'api/workflows.html',
        'adr/README.html',
      ]),
    );
    expect(documentsIn('docs').filter((path) => !pages.has(path.replace(/md$/, 'html')))).toEqual([]);
  });

  it('the navigation of the docs site lists every document', () => {
    const listed = new Set(SECTIONS.flatMap(({ pages: own }) => own.map(([path]) => `${path}.md`)));
    const others = ['index.md', 'routes.md'];
    const documents = documentsIn('docs').filter(
      (path) => !path.startsWith('adr/') && !others.includes(path),
    );
    expect(documents.filter((path) => !listed.has(path))).toEqual([]);
  });

  it('every link within the docs site leads to a file', () => {
    expect(links.length).toBeGreaterThan(1_000);
    const broken = links.filter(({ file }) => {
      const path = join(SITE, file);
      return !existsSync(file.endsWith('/') ? join(path, 'index.html') : path);
    });
    expect(broken.map(({ page, link }) => `${page}: ${link}`)).toEqual([]);
  });

  it('every anchor within the docs site leads to an element', () => {
    const ids = new Map([...pages].map(([page, html]) => [page, new Set(attributes(html, 'id'))]));
    const broken = links.filter(
      ({ file, anchor }) => anchor !== undefined && anchor !== '' && ids.get(file)?.has(anchor) !== true,
    );
    expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(200);
    expect([...new Set(broken.map(({ page, link }) => `${page}: ${link}`))]).toEqual([]);
  });

  it('no page of the docs site has inline scripts or styles, which its content security policy would block', () => {
    const refused = [...pages].filter(
      ([, html]) =>
        /<script(?![^>]*\ssrc=)/.test(html) || /<[a-z][^>]*\sstyle="/.test(html) || html.includes('<style'),
    );
    expect(refused.map(([page]) => page)).toEqual([]);
  });
});

describe.each([
  ['without BASE_URL', undefined],
  ['with a path in BASE_URL', 'http://127.0.0.1/team/flows'],
])('GET /docs %s', (_, baseUrl) => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({ environment: baseUrl === undefined ? {} : { BASE_URL: baseUrl } });
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(service.baseUrl + path, { redirect: 'manual', headers });
  const prefix = baseUrl === undefined ? '' : new URL(baseUrl).pathname;

  it('GET /docs redirects to /docs/, because links in the docs site are relative', async () => {
    const response = await get(`${prefix}/docs`);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`${baseUrl ?? ''}/docs/`);
  });

  it('the service serves the docs site without an API key, with security headers and cache headers', async () => {
    const response = await get(`${prefix}/docs/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const html = await response.text();
    const [script = ''] = attributes(html, 'src').filter((link) => link.endsWith('.js'));
    const asset = await get(posix.join(`${prefix}/docs`, script));
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  it('the service serves a docs page at its URL without .html, and the index page at the URL of a folder', async () => {
    const titles = await Promise.all(
      ['/docs/security', '/docs/security.html', '/docs/api/'].map(async (path) => {
        const response = await get(prefix + path);
        return /<title>([^|<]+)/.exec(await response.text())?.[1]?.trim();
      }),
    );
    expect(titles).toEqual(['Security', 'Security', 'Using the API']);
  });

  it('the service compresses pages of the docs site', async () => {
    const response = await get(`${prefix}/docs/api/`, { 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBe('br');
  });

  it('the service responds 404 in the standard error format for an unknown docs page', async () => {
    const { status, error } = await service.get(`${prefix}/docs/nothing`, { key: null });
    expect([status, error.code]).toEqual([404, 'docs_page_not_found']);
    expect((await get(`${prefix}/docs/../package.json`)).status).toBe(401);
  });
});

it('the service reports that the docs site is not built, and serves the site as soon as the site is built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-docs-'));
  try {
    expect(() => new Docs(join(folder, 'none')).file('index.html')).toThrow(/not built yet.*"npm run docs"/s);
    expect(new Docs(dirname(join(SITE, 'x'))).file('').type).toContain('text/html');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
