/**
 * `npm run screenshots [-- <name> ...]`: takes screenshots of the dashboard for the README and the docs. Review each
 * screenshot before you commit it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM, EMAIL, PASSWORD, startService } from '../bench/service.ts';

const TARGET = join(import.meta.dirname, '..', '..', 'docs', 'images');
const SIZE = { width: 1280, height: 760 };
const RUNS_BEFORE = 14;
const WANTED = process.argv.slice(2);

const world = await startWorld();
const address = `127.0.0.1:${(world.address() as AddressInfo).port}`;
const service = await startService({ settings: { EGRESS_ALLOW: address } });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  mkdirSync(TARGET, { recursive: true });
  const { workflowId, liveId } = await seed();
  const charge = `/executions/${liveId}?node=charge`;
  await picture('run-page', charge, 'light', shownRun);
  await picture('run-page-dark', charge, 'dark', shownRun);
  await picture('executions', '/executions', 'light', (page) => page.getByRole('row').nth(8).waitFor());
  await picture('workflow', `/workflows/${workflowId}`, 'light', (page) =>
    page.getByRole('region', { name: 'Graph', exact: true }).getByText('Notify').first().waitFor(),
  );
  await picture('create-key', '/settings/api-keys', 'light', async (page) => {
    await page.getByRole('button', { name: 'Create New Key' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('ci-production');
  });
  await picture('builder', `/workflows/${workflowId}/edit`, 'light', (page) =>
    page.locator('.react-flow__node').nth(3).waitFor(),
  );
  const made = await seedTriggers(workflowId);
  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  await picture('schedules', '/schedules', 'light', shows('Morning report'));
  await picture('schedule', `/schedules/${made.scheduleId}`, 'light', shows('Morning report'));
  await picture('hooks', '/hooks', 'light', shows('Shop orders'));
  await picture('hook', `/hooks/${made.hookId}`, 'light', shows('Shop orders'));
  await picture('webhooks', '/settings/webhooks', 'light', shows('/events'));
  await picture('webhook', `/settings/webhooks/${made.webhookId}`, 'light', shows('/events'));
  await picture('secrets', '/settings/secrets', 'light', shows('PAYMENT_KEY'));
  await picture('operations', '/settings/operations', 'light', (page) =>
    page.getByRole('table', { name: 'Processes' }).getByRole('row').nth(1).waitFor(),
  );
  await setUpPicture();
} finally {
  await browser.close();
  world.closeAllConnections();
  world.close();
  await service.stop();
}

/** Creates the executions that the screenshots show: completed and failed ones, and one that keeps running. */
async function seed(): Promise<{ readonly workflowId: string; readonly liveId: string }> {
  const { id: workflowId } = await service.post('/v1/workflows', {
    name: 'order-fulfillment',
    description: 'Reserves the goods, takes the money, ships.',
    nodes: order('/payments'),
    input_schema: { type: 'object', properties: { order: { type: 'string' } } },
  });
  const others = await Promise.all(
    ['sales-report', 'nightly-import', 'refund', 'invoice', 'sales-report-eu'].map((name) =>
      service.post('/v1/workflows', {
        name,
        nodes: [
          {
            id: 'call',
            name: 'Call',
            type: 'http',
            with: { url: `http://${address}${name === 'refund' ? '/declined' : '/sales'}` },
          },
        ],
      }),
    ),
  );
  for (let index = 0; index < RUNS_BEFORE; index += 1)
    await service.post(`/v1/workflows/${others[(index * 3) % others.length]?.id}/execute?wait=20`, {});
  const live = await service.post(`/v1/workflows/${workflowId}/executions`, { input: { order: 'A-1042' } });
  return { workflowId, liveId: live.id };
}

/** Creates the schedules, hooks, webhooks and secrets that the screenshots show. */
async function seedTriggers(
  workflowId: string,
): Promise<{ readonly scheduleId: string; readonly hookId: string; readonly webhookId: string }> {
  const schedule = await service.post('/v1/schedules', {
    workflow_id: workflowId,
    name: 'Morning report',
    cron: '0 9 * * MON-FRI',
    time_zone: 'Europe/Berlin',
    input: { order: 'A-1042' },
  });
  await service.post('/v1/schedules', {
    workflow_id: workflowId,
    name: 'Stock check',
    every_seconds: 900,
    input: { order: 'A-1042' },
  });
  await service.post(`/v1/schedules/${schedule.id}/trigger`, {});
  const hook = await service.post<{ readonly id: string; readonly url: string }>('/v1/hooks', {
    workflow_id: workflowId,
    name: 'Shop orders',
  });
  for (const number of ['A-1043', 'A-1044', 'A-1045'])
    await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order: number }),
    });
  const webhook = await service.post('/v1/webhooks', {
    url: `http://${address}/events`,
    events: ['workflow.completed', 'workflow.failed'],
    description: 'Warehouse',
  });
  for (const [name, description] of [
    ['PAYMENT_KEY', 'Key of the payment service.'],
    ['WAREHOUSE_TOKEN', 'Token of the warehouse API.'],
  ])
    await service.post('/v1/secrets', { name, value: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc', description });
  return { scheduleId: schedule.id, hookId: hook.id, webhookId: webhook.id };
}

/** Takes the screenshot of the setup page, which a service without any account shows. */
async function setUpPicture(): Promise<void> {
  if (!isWanted('set-up')) return;
  const folder = mkdtempSync(join(tmpdir(), 'workflow-set-up-'));
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: { ...process.env, DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const link = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /http\S+\/setup#t=\S+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const context = await browser.newContext({ viewport: SIZE, locale: 'en', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('Email').fill(EMAIL);
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(TARGET, 'set-up.png') });
  await context.close();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write('docs/images/set-up.png\n');
}

function isWanted(name: string): boolean {
  return WANTED.length === 0 || WANTED.includes(name);
}

function order(payments: string): readonly object[] {
  const url = (path: string): string => `http://${address}${path}`;
  return [
    { id: 'fetch', name: 'Fetch order', type: 'http', with: { url: url('/order') } },
    { id: 'stock', name: 'Check stock', type: 'set', with: { value: '{{ nodes.fetch.output.status }}' } },
    {
      id: 'charge',
      name: 'Charge card',
      type: 'http',
      needs: ['stock'],
      with: { method: 'POST', url: url(payments) },
      ...(payments === '/payments' && { retry: { max_attempts: 5, initial_delay_ms: 900 } }),
    },
    { id: 'pickup', name: 'Await pickup', type: 'delay', needs: ['stock'], with: { seconds: 240 } },
    { id: 'gift', name: 'Wrap as a gift', type: 'set', needs: ['stock'], if: 'false', with: { value: 1 } },
    { id: 'notify', name: 'Notify', type: 'set', needs: ['charge', 'pickup'], with: { value: 'told' } },
  ];
}

/**
 * Waits until the page shows that the first attempt of the payment node has failed, so that the second attempt is
 * running.
 */
async function shownRun(page: Page): Promise<void> {
  await page.locator('.react-flow__node').first().waitFor();
  await page.getByText(/Attempt 1 failed/).waitFor();
}

async function picture(
  name: string,
  path: string,
  colorScheme: 'light' | 'dark',
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  if (!isWanted(name)) return;
  const context = await signedIn(colorScheme);
  const page = await context.newPage();
  await page.goto(`${service.server.url}/dashboard${path}`);
  await ready(page);
  // A screenshot looks different before the fonts are loaded and the page is connected, so both must happen first.
  await page.evaluate('document.fonts.ready');
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.screenshot({ path: join(TARGET, `${name}.png`) });
  await context.close();
  process.stdout.write(`docs/images/${name}.png\n`);
}

async function signedIn(colorScheme: 'light' | 'dark'): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme,
    locale: 'en',
    reducedMotion: 'reduce',
  });
  const answer = await context.request.post(`${service.server.url}/v1/auth/sign-in`, {
    data: { email: EMAIL, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`The sign-in failed with the status ${answer.status()}.`);
  return context;
}

/**
 * Starts the HTTP server that the workflows call. The first request to `/payments` gets an error, and the second gets
 * no response.
 */
async function startWorld(): Promise<Server> {
  let payments = 0;
  const send = (response: ServerResponse, body: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer(({ url }, response) => {
    if (url === '/payments') {
      payments += 1;
      if (payments === 1)
        setTimeout(() => send(response, { retry_after: 1, request_id: 'req_9fk2' }, 503), 350);
      return;
    }
    if (url === '/declined') send(response, { reason: 'The card was declined.' }, 402);
    else setTimeout(() => send(response, { id: 'A-1042', sku: 'book', amount: 42 }), 210);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
