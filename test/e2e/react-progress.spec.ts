import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingProxy } from '../../tools/proof-kit/cutting-proxy.ts';
import { CHROMIUM } from '../support/chromium.js';
import { ServiceProcess } from '../support/service-process.js';

const EXAMPLE = 'examples/react-progress';

/**
 * Starts the backend of the React example.
 * @returns the process and the address of the backend
 */
function backend(environment: Readonly<Record<string, string>>): Promise<readonly [ChildProcess, string]> {
  const child = spawn(process.execPath, [`${EXAMPLE}/server.ts`], {
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The backend of the example ended with code ${code}.`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /Open (http:\S+)/.exec(chunk.toString())?.[1];
      if (url !== undefined) resolve([child, url]);
    });
  });
}

describe('the React example', () => {
  let service: ServiceProcess;
  let proxy: CuttingProxy;
  let pages: ChildProcess | undefined;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    // A restarted service has a new port, so the page connects through a proxy with a fixed address.
    proxy = new CuttingProxy(
      () => ({ host: '127.0.0.1', port: Number(new URL(service.url).port) }),
      () => null,
    );
    const address = await proxy.listen();
    const origins = { CORS_ORIGINS: 'http://127.0.0.1:1' };
    service = new ServiceProcess(origins);
    [pages, url] = await backend({ WORKFLOW_URL: address, WORKFLOW_API_KEY: service.token });
    origins.CORS_ORIGINS = url;
    await service.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    pages?.kill();
    await proxy?.close();
    await service?.dispose();
  });

  it('the React example compiles', () => {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', EXAMPLE]);
  });

  it('the React example shows the progress of an execution to its end, even if the service is killed and restarted', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(url);
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByText('reserve: completed').waitFor();
    await service.kill();
    await page.getByText('Connection: disconnected').waitFor();
    await service.start();
    await page.getByText('4 of 4').waitFor({ timeout: 60_000 });
    await page.getByText('Connection: ended').waitFor();
    const status = await page.getByRole('status').textContent();
    const { data } = await service.call<{ data: readonly { id: string; last_sequence: number }[] }>(
      'GET',
      '/v1/executions',
    );
    expect(data).toHaveLength(1);
    expect(status).toBe(`Order completed. Events: ${data[0]?.last_sequence}. Connection: ended.`);
    expect(faults).toEqual([]);
  });

  it('the React example sends a view token, but not the API key, to the browser', async () => {
    const page = await browser.newPage();
    const texts: Promise<string>[] = [];
    page.on('response', (response) => texts.push(response.text().catch(() => '')));
    await page.goto(url);
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.getByText('4 of 4').waitFor({ timeout: 60_000 });
    const all = (await Promise.all(texts)).join('\n');
    expect(all).toContain('wfv_');
    expect(all).not.toContain(service.token);
  });
});
