import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, TestDashboard } from '../support/dashboard.js';

let dashboard: TestDashboard;
let base: string;

beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}/tools/flows`;
  dashboard = await TestDashboard.start({ settings: { PORT: String(port), BASE_URL: base } });
});

afterAll(() => dashboard?.stop());

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

it('the dashboard sends no request outside the path of `BASE_URL`', async () => {
  const { page, faults, close } = await dashboard.page({ signedIn: false });
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) outside.push(request.url());
  });
  await page.goto(`${base}/dashboard/workflows`);
  await page.waitForURL(`${base}/dashboard/login?*`);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
  expect(page.url()).toBe(`${base}/dashboard/workflows`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Primary' }).getByRole('link', { name: 'About' }).click();
  await page.waitForURL(`${base}/dashboard/settings/about`);
  expect(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).toBe(
    `${base}/openapi.json`,
  );
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
  await page.goto(`${base}/swagger`);
  await page.getByRole('heading', { name: /Workflow Service/ }).waitFor();
  expect(outside).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

it('the setup link that the service prints starts with `BASE_URL`', async () => {
  const fresh = await TestDashboard.start({
    empty: true,
    settings: { BASE_URL: 'https://example.com/tools/flows' },
  });
  try {
    expect(await fresh.setUpLink()).toMatch(/^https:\/\/example\.com\/tools\/flows\/dashboard\/setup#t=/);
  } finally {
    await fresh.stop();
  }
});
