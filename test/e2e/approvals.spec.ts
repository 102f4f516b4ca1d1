import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/engine/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';

const HOSTILE = '<script>alert(1)</script> & "Refund"?';
const approval = (more: JsonObject = {}, title = 'Refund order 4711?'): JsonObject => ({
  id: 'ask',
  type: 'wait',
  with: { signal: 'refund', approval: { title, description: 'It came broken.' }, ...more },
});
const out: JsonObject = { id: 'out', type: 'set', with: { value: '{{ nodes.ask.output }}' } };

interface Links {
  readonly approve: string;
  readonly reject: string;
}

for (const kind of await databaseKinds())
  describe(`approvals on ${kind.name}`, { timeout: 60_000 }, () => {
    let database: TestDatabase;
    let service: TestService;
    let calls: ExecutionCalls;

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings });
      calls = new ExecutionCalls(service);
    });

    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    const linksOf = async (id: string, nodeId = 'ask'): Promise<Links> => {
      const waiting = (await calls.events(id)).findLast(
        ({ type, node_id }) => type === 'workflow.node.waiting' && node_id === nodeId,
      );
      return {
        approve: String(waiting?.data['approve_url']),
        reject: String(waiting?.data['reject_url']),
      };
    };
    const ask = async (nodes: readonly JsonObject[] = [approval(), out]): Promise<Links & { id: string }> => {
      const { id } = await calls.start(await calls.workflow(nodes));
      await calls.until(id, ({ status }) => status === 'waiting');
      return { id, ...(await linksOf(id)) };
    };
    const fetched = async (url: string, method = 'GET') => {
      const response = await fetch(url, { method });
      return { status: response.status, headers: response.headers, html: await response.text() };
    };

    it('are pages that decide nothing until the button is pressed', async () => {
      const { id, approve } = await ask();
      expect(approve.startsWith(`${service.baseUrl}/approvals/`)).toBe(true);
      for (const method of ['GET', 'HEAD', 'GET']) expect((await fetched(approve, method)).status).toBe(200);
      const { html, headers } = await fetched(approve);
      expect(html).toContain('Refund order 4711?');
      expect(html).toContain('It came broken.');
      expect(html).toContain('<form method="post">');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(await calls.read(id)).toMatchObject({ status: 'waiting' });
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it.each(['approve', 'reject'] as const)('%s once', async (choice) => {
      const { id, ...links } = await ask();
      const answer = await fetched(links[choice], 'POST');
      expect([answer.status, answer.html]).toEqual([200, expect.stringContaining('Thank you.')]);
      expect(await calls.ended(id)).toMatchObject({
        status: 'completed',
        output: { approved: choice === 'approve', at: expect.any(String), via: 'link' },
      });
      for (const url of [links.approve, links.reject])
        for (const method of ['GET', 'POST'])
          expect(await fetched(url, method)).toMatchObject({
            status: 409,
            html: expect.stringContaining('decided already'),
          });
    });

    it('are decided once by whoever is the first of many', async () => {
      const { id, approve, reject } = await ask();
      await service.post(`/v1/executions/${id}/pause`);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => fetched(n % 2 === 0 ? approve : reject, 'POST')),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
      await service.post(`/v1/executions/${id}/resume`);
      expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
    });

    it('decide their own wait and no other of the same signal', async () => {
      const { id, approve } = await ask([
        approval(),
        { ...approval({}, 'And again?'), id: 'again', needs: ['ask'] },
        { ...out, with: { value: '{{ nodes.again.output.approved }}' } },
      ]);
      await fetched(approve, 'POST');
      await calls.until(id, ({ progress }) => progress.completed === 1);
      expect((await fetched(approve, 'POST')).status).toBe(409);
      await calls.until(id, ({ status }) => status === 'waiting');
      const second = await linksOf(id, 'again');
      await fetched(second.reject, 'POST');
      expect(await calls.ended(id)).toMatchObject({ output: false });
    });

    it('can be decided by a signal as well', async () => {
      const { id, approve } = await ask();
      await service.post(`/v1/executions/${id}/signals/refund`, {
        payload: { approved: true, by: 'a robot' },
      });
      expect(await calls.ended(id)).toMatchObject({ output: { by: 'a robot' } });
      expect((await fetched(approve, 'POST')).status).toBe(409);
    });

    it('say when it is too late', async () => {
      const late = await ask([{ ...approval({ timeout_seconds: 6 }), on_error: 'continue' }, out]);
      const cancelled = await ask();
      await service.post(`/v1/executions/${cancelled.id}/cancel`);
      expect(await fetched(cancelled.approve, 'POST')).toMatchObject({
        status: 410,
        html: expect.stringContaining('has ended'),
      });
      await calls.ended(late.id);
      expect(await fetched(late.approve, 'POST')).toMatchObject({
        status: 410,
        html: expect.stringContaining('time to decide this is over'),
      });
    });

    it('show what authors write as text', async () => {
      const { id, approve } = await ask([approval({}, HOSTILE), out]);
      const { html } = await fetched(approve);
      expect(html).not.toContain('<script>');
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Refund&quot;?');
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it('are nothing where the signature is not theirs', async () => {
      const { id, approve, reject } = await ask();
      const [, good = ''] = approve.split('/approvals/');
      const [text = '', signature = ''] = good.split('.');
      const other = reject.split('.').at(-1) ?? '';
      const forged = [
        'x',
        text,
        `${text}.`,
        `${text}.${other}`,
        `${text}.${signature.slice(0, -2)}`,
        `${text}.${signature}.${signature}`,
        `${Buffer.from(JSON.stringify([id, 'ask', 1, true])).toString('base64url')}.${'A'.repeat(43)}`,
        `${text}a.${signature}`,
        'y'.repeat(2_000),
      ];
      for (const token of forged)
        for (const method of ['GET', 'POST'])
          expect(
            (await fetched(`${service.baseUrl}/approvals/${token}`, method)).status,
            `${method} ${token}`,
          ).toBe(404);
      expect(await calls.read(id)).toMatchObject({ status: 'waiting' });
      await service.post(`/v1/executions/${id}/cancel`);
    });
  });

describe('an approval', { timeout: 120_000 }, () => {
  let browser: Browser;
  let process: ServiceProcess;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    process = new ServiceProcess();
    await process.start();
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await process?.dispose();
  });

  it('is found at the public address of the service', async () => {
    const service = await TestService.start({ environment: { BASE_URL: 'https://flows.example.com/' } });
    try {
      const calls = new ExecutionCalls(service);
      const { id } = await calls.start(await calls.workflow([approval()]));
      await calls.until(id, ({ status }) => status === 'waiting');
      const waiting = (await calls.events(id)).find(({ type }) => type === 'workflow.node.waiting');
      expect(waiting?.data['reject_url']).toMatch(/^https:\/\/flows\.example\.com\/approvals\/[\w.-]+$/);
    } finally {
      await service.stop();
    }
  });

  it('is given by a person in a browser, after a restart', async () => {
    const { id: workflow } = await process.call<{ id: string }>('POST', '/v1/workflows', {
      name: 'ask',
      nodes: [approval(), out],
    });
    const { id } = await process.call<{ id: string }>('POST', `/v1/workflows/${workflow}/executions`, {});
    const read = () => process.call<{ status: string; output: unknown }>('GET', `/v1/executions/${id}`);
    while ((await read()).status !== 'waiting') await new Promise((resolve) => setTimeout(resolve, 20));
    const { data } = await process.call<{ data: readonly { type: string; data: JsonObject }[] }>(
      'GET',
      `/v1/executions/${id}/events`,
    );
    const url = String(data.find(({ type }) => type === 'workflow.node.waiting')?.data['approve_url']);
    await process.terminate();
    await process.start();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(process.url + new URL(url).pathname);
    expect(await page.title()).toBe('Refund order 4711?');
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe('12px');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved. Thank you.').waitFor();
    expect(complaints).toEqual([]);
    while ((await read()).status !== 'completed') await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await read()).output).toMatchObject({ approved: true, via: 'link' });
  });
});
