import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttingProxy } from '../../tools/proof-kit/cutting-proxy.ts';
import { type ReceivedEvent, verdictOf } from '../../tools/proof-kit/verdict.ts';
import { createWorkload, journalOf, type Service, startExecution } from '../../tools/proof-kit/workload.ts';
import { CHROMIUM } from '../support/chromium.js';
import { ServiceProcess } from '../support/service-process.js';

const CLIENT = 'clients/typescript';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
const EXECUTIONS = 60;
/**
 * JavaScript that the test runs in the page: returns the ids and sequence numbers of the events in the page's
 * list.
 */
const SHOWN = `[...document.querySelectorAll('li')].map(({ dataset }) => ({
  id: dataset.id, execution_id: dataset.execution, sequence: Number(dataset.sequence)
}))`;

describe('the browser client in a page of 30 lines', () => {
  let service: ServiceProcess;
  let pages: Server;
  let proxy: CuttingProxy;
  let browser: Browser;

  beforeAll(async () => {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', CLIENT]);
    // A restarted server gets a new port, so the page connects through a proxy whose address does not change.
    proxy = new CuttingProxy(
      () => ({ host: '127.0.0.1', port: Number(new URL(service.url).port) }),
      () => null,
    );
    pages = createServer((request, response) => {
      const file = join(CLIENT, (request.url ?? '/').split('?')[0] ?? '/');
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
      response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const { port } = pages.address() as AddressInfo;
    service = new ServiceProcess({ CORS_ORIGINS: `http://127.0.0.1:${port}` });
    await service.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser.close();
    pages.closeAllConnections();
    pages.close();
    await proxy.close();
    await service.dispose();
  });

  it('a browser page shows every event once, even if the server is killed and restarted while the page is open', async () => {
    const url = await proxy.listen();
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    const { port } = pages.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/examples/live.html#url=${url}&key=${service.token}&after=0`);
    await page.getByText('connected', { exact: true }).waitFor();

    const target: Service = { url: () => service.url, key: service.token };
    const workflowId = await createWorkload(target);
    const ids: string[] = [];
    for (let index = 0; index < EXECUTIONS; index += 1) {
      ids.push(await startExecution(target, workflowId, `number ${index}`));
      if (index === EXECUTIONS / 2) {
        await service.kill();
        await service.start();
      }
    }
    const journal = await journalOf(target, ids);
    const total = [...journal.values()].reduce((sum, events) => sum + events.length, 0);
    await page.waitForFunction(`document.querySelectorAll('li').length >= ${total}`, undefined, {
      timeout: 30_000,
    });
    const shown = await page.evaluate<readonly ReceivedEvent[]>(SHOWN);
    expect(verdictOf(shown, journal)).toMatchObject({ faults: [], duplicates: 0 });
    expect(faults).toEqual([]);
  });
});
