import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../src/dashboard/index.js';
import { TestService } from '../support/service.js';

let service: TestService;
let asset: string;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends a request and returns the response without decompressing it. `fetch` would decompress it. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(service.baseUrl + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

beforeAll(async () => {
  service = await TestService.start();
  asset =
    /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec((await get('/dashboard')).bytes.toString())?.[1] ?? '';
});

afterAll(() => service.stop());

describe('GET /', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  it('the service redirects a browser from `/` to the dashboard', async () => {
    const { status, headers } = await get('/', { accept: BROWSER });
    expect(status).toBe(302);
    expect(headers).toMatchObject({ location: '/dashboard/', vary: expect.stringContaining('Accept') });
  });

  it.each(['*/*', 'application/json'])(
    'the service responds 401 to `GET /` if the client accepts %s',
    async (accept) => {
      expect((await get('/', { accept })).status).toBe(401);
    },
  );

  it('the service responds 401 to a browser at an unknown path', async () => {
    expect((await get('/nothing', { accept: BROWSER })).status).toBe(401);
  });
});

describe('the dashboard document', () => {
  it.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/workflows',
    '/dashboard/executions/7?node=a&status=failed',
  ])('the service serves the dashboard document at %s without an API key', async (path) => {
    const { status, headers, bytes } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(bytes.toString()).toContain('<div id="root">');
  });

  it('the content security policy lets the dashboard load files only from its own origin', async () => {
    const { headers } = await get('/dashboard');
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  it('the service responds 304 to a request for the dashboard with the current ETag', async () => {
    const { headers } = await get('/dashboard');
    const again = await get('/dashboard', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await get('/dashboard', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('the service responds to a HEAD request for the dashboard without a body', async () => {
    const { status, headers, bytes } = await get('/dashboard', {}, 'HEAD');
    expect([status, bytes.length]).toEqual([200, 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(500);
  });

  it('the service responds 401 to a POST request to the dashboard', async () => {
    expect((await get('/dashboard', {}, 'POST')).status).toBe(401);
  });
});

describe('the files of the dashboard', () => {
  it('the service sends dashboard assets with the best compression that the client accepts', async () => {
    const plain = await get(asset);
    const brotli = await get(asset, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(asset, { 'accept-encoding': 'gzip' });
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotli.headers['etag']).not.toBe(gzip.headers['etag']);
  });

  it.each([
    '/dashboard/assets/gone-1234.js',
    '/dashboard/assets/',
    '/dashboard/gone.css',
    '/dashboard/a/b.svg',
  ])('the service responds 404 to a request for a missing dashboard file: %s', async (path) => {
    const { status, bytes } = await get(path);
    expect(status).toBe(404);
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: { code: 'dashboard_file_not_found' } });
  });

  it.each([
    '/dashboard/%2e%2e/package.json',
    '/dashboard/..%2fpackage.json',
    '/dashboard/assets/%2e%2e%2findex.html',
  ])('the service responds 401 to a path that leaves the dashboard folder: %s', async (path) => {
    const { status, bytes } = await get(path);
    expect(status).toBe(401);
    expect(bytes.toString()).not.toContain('workflow-service');
  });
});

describe('a dashboard that was not built', () => {
  it('the error for a missing dashboard says that the dashboard was not built, or why its build failed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'workflow-no-dashboard-'));
    try {
      expect(() => new Dashboard(join(folder, 'none')).file('')).toThrow(
        'The dashboard is not available: it was not built. Run "npm run build" and restart the service.',
      );
      writeFileSync(join(folder, 'build-failure.txt'), 'its build failed (no memory)\n');
      expect(new Dashboard(folder).missingBecause).toBe('its build failed (no memory)');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
