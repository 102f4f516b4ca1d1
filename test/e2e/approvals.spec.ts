import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../src/access/index.js';
import type { JsonObject } from '../../src/expressions/index.js';
import { Inbox } from '../../src/inbox/index.js';
import { encodeCursor, START } from '../../src/journal/index.js';
import { Writer } from '../../src/storage/index.js';
import { PasswordsService } from '../../src/users/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { newPerson } from '../support/people.js';
import { SocketClient } from '../support/socket-client.js';
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

interface AuditLog {
  readonly data: readonly { readonly actor: JsonObject }[];
}

/** A team member. `headers` contain the member's dashboard cookie and CSRF token. */
interface SignedInPerson {
  readonly id: string;
  readonly email: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FIRST_CURSOR = encodeCursor(START);
const PASSWORD = 'correct horse battery';

async function signedInPerson(service: TestService, role: Role): Promise<SignedInPerson> {
  const person = await newPerson(service, role);
  const { app, baseUrl } = service;
  const writes = await app.get(PasswordsService, { strict: false }).change(person.id, PASSWORD);
  await app.get(Writer, { strict: false }).commit({ writes });
  const { headers, body } = await service.post<{ csrf_token: string }>(
    '/v1/auth/sign-in',
    { email: person.email, password: PASSWORD },
    { key: null, headers: { origin: baseUrl } },
  );
  const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  return { ...person, headers: { origin: baseUrl, cookie, 'x-csrf-token': body.csrf_token } };
}

/** Reads an event stream up to the end of the event that contains the given text. */
async function untilText({ body }: Response, text: string): Promise<string> {
  let read = '';
  for await (const chunk of body ?? []) {
    read += Buffer.from(chunk).toString();
    if (read.includes(text) && read.endsWith('\n\n')) break;
  }
  return read;
}

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

interface Links {
  readonly approve: string;
  readonly reject: string;
}

for (const kind of await databaseKinds())
  describe(`approvals on ${kind.name}`, () => {
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

    it('opening an approval page does not decide the approval', async () => {
      const { id, approve } = await ask();
      expect(approve.startsWith(`${service.baseUrl}/approvals/`)).toBe(true);
      for (const method of ['GET', 'HEAD', 'GET']) expect((await fetched(approve, method)).status).toBe(200);
      const { html, headers } = await fetched(approve);
      expect(html).toContain('Refund order 4711?');
      expect(html).toContain('It came broken.');
      expect(html).toContain('<form method="post">');
      expect(html).toContain('<dt>Workflow</dt>');
      expect(html).toContain(`<dt>Execution</dt><dd>${id.slice(-8)}</dd>`);
      expect(html).toMatch(/<dt>Requested by<\/dt><dd>[^<]+<\/dd>/);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(await calls.read(id)).toMatchObject({ status: 'waiting' });
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it.each(['approve', 'reject'] as const)(
      'the link to %s decides an approval once, and every later request to a link of this approval gets 409',
      async (choice) => {
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
              html: expect.stringContaining('already decided'),
            });
      },
    );

    it('of several concurrent decisions about an approval, one is accepted and all other decisions get 409', async () => {
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

    it('a decision is refused if the execution has consumed another decision since the approval was read', async () => {
      const { id, approve, reject } = await ask();
      const inbox = service.app.get(Inbox, { strict: false });
      const deliver = inbox.deliver.bind(inbox);
      vi.spyOn(inbox, 'deliver').mockImplementationOnce(async (...delivery) => {
        expect((await fetched(approve, 'POST')).status).toBe(200);
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: { approved: true } });
        await deliver(...delivery);
      });
      expect(await fetched(reject, 'POST')).toMatchObject({
        status: 409,
        html: expect.stringContaining('already decided'),
      });
      const log = await service.get<AuditLog>(`/v1/audit-log?action=approval.decided&target=${id}`);
      expect(log.body.data).toHaveLength(1);
    });

    it('an approval can be decided while another branch of the execution appends events', async () => {
      const { id, approve } = await ask([
        approval(),
        { id: 'later', type: 'wait', with: { signal: 'later' } },
      ]);
      const inbox = service.app.get(Inbox, { strict: false });
      const deliver = inbox.deliver.bind(inbox);
      vi.spyOn(inbox, 'deliver').mockImplementationOnce(async (...delivery) => {
        await service.post(`/v1/executions/${id}/signals/later`);
        await calls.until(id, ({ progress }) => progress.completed === 1);
        await deliver(...delivery);
      });
      expect((await fetched(approve, 'POST')).status).toBe(200);
      expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
    });

    it('an approval link decides only the approval of its own node, not a later approval with the same signal name', async () => {
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

    it('a signal can decide an approval, and the audit log names the sender of the signal', async () => {
      const { id, approve } = await ask();
      await service.post(`/v1/executions/${id}/signals/refund`, {
        payload: { approved: true, by: 'a robot' },
      });
      expect(await calls.ended(id)).toMatchObject({ output: { by: 'a robot' } });
      expect((await fetched(approve, 'POST')).status).toBe(409);
      const log = await service.get<AuditLog>('/v1/audit-log?action=approval.decided');
      expect(log.body.data[0]).toMatchObject({
        actor: { user_id: service.admin.userId, key_id: service.admin.keyId },
        target: { type: 'execution', id },
        after: { node_id: 'ask', approved: true, via: 'signal' },
      });
    });

    it('a signal to a wait node without an approval creates no audit entry', async () => {
      const plain: JsonObject = { id: 'plain', type: 'wait', with: { signal: 'ready' } };
      const { id } = await ask([approval(), plain, { ...out, needs: ['ask', 'plain'] }]);
      expect((await service.post(`/v1/executions/${id}/signals/ready`, {})).status).toBe(202);
      expect((await service.post(`/v1/executions/${id}/signals/later`, {})).status).toBe(202);
      const log = await service.get<AuditLog>(`/v1/audit-log?action=approval.decided&target=${id}`);
      expect(log.body.data).toEqual([]);
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it('after a decision through a link, the node output and the audit log contain the client address', async () => {
      const { id, approve } = await ask();
      await fetched(approve, 'POST');
      const { output } = await calls.ended(id);
      expect(output).toMatchObject({ approved: true, via: 'link', by: null, address: '127.0.0.1' });
      const log = await service.get<AuditLog>('/v1/audit-log?action=approval.decided');
      expect(log.body.data[0]).toMatchObject({
        actor: { user_id: null, key_id: null },
        address: '127.0.0.1',
        target: { type: 'execution', id },
        after: { node_id: 'ask', approved: true, via: 'link' },
      });
    });

    it('the node output and the audit log name the user who decided an approval with an API key', async () => {
      const { id, reject } = await ask();
      const path = `/v1/approvals/${tokenOf(reject)}`;
      expect((await service.get(path)).body).toMatchObject({
        execution_id: id,
        node_id: 'ask',
        title: 'Refund order 4711?',
        decision: 'reject',
        status: 'open',
        approvers: null,
        refusal: null,
        requested_by: expect.any(String),
        expires_at: null,
      });
      for (const comment of ['', 'x'.repeat(2001), 7])
        expect((await service.post(path, { comment })).status).toBe(400);
      expect(await service.post(path, { comment: 'No receipt.' })).toMatchObject({
        status: 200,
        body: { status: 'decided' },
      });
      expect(await calls.ended(id)).toMatchObject({
        output: {
          approved: false,
          via: 'api',
          by: { user_id: service.admin.userId },
          address: '127.0.0.1',
          comment: 'No receipt.',
        },
      });
      const log = await service.get<AuditLog>('/v1/audit-log?action=approval.decided');
      expect(log.body.data[0]?.actor).toEqual({
        user_id: service.admin.userId,
        key_id: service.admin.keyId,
        name: null,
      });
      expect(await service.post(path)).toMatchObject({ status: 409, error: { code: 'already_decided' } });
      const { key } = await service.newStranger();
      expect((await service.get(path, { key })).status).toBe(403);
      expect((await service.get('/v1/approvals/unknown')).status).toBe(404);
    });

    it('events contain approval links only for readers with the scope executions:write', async () => {
      const { id } = await ask();
      const reader = await service.newKey({ scopes: ['executions:read', 'events:read'] });
      const writer = await service.newKey({
        scopes: ['executions:read', 'executions:write', 'events:read'],
      });
      const viewer = await newPerson(service, 'viewer');
      const filter = `execution_id=${id}&types=workflow.node.waiting`;
      const texts = async (key: string): Promise<readonly string[]> => {
        const client = await SocketClient.authenticated(new URL(service.baseUrl).host, key);
        client.send({ type: 'subscribe', id: 's', filter: { execution_id: id }, after: FIRST_CURSOR });
        await client.next('replay.complete');
        const stream = await fetch(`${service.baseUrl}/v1/executions/${id}/events?after=0`, {
          headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
        });
        const read = [
          JSON.stringify((await service.get(`/v1/executions/${id}/events`, { key })).body),
          JSON.stringify((await service.get(`/v1/events?${filter}`, { key })).body),
          client.texts.join(''),
          await untilText(stream, 'workflow.node.waiting'),
        ];
        client.socket.terminate();
        return read;
      };
      for (const key of [reader, viewer.key])
        for (const text of await texts(key)) {
          expect(text).toContain('workflow.node.waiting');
          expect(text).not.toContain('/approvals/');
        }
      for (const text of await texts(writer)) expect(text).toContain('/approvals/');
      for (const path of [
        `/v1/executions/${id}`,
        `/v1/executions/${id}/nodes`,
        `/v1/executions/${id}/explain`,
      ])
        expect(JSON.stringify((await service.get(path, { key: reader })).body)).not.toContain('/approvals/');
      await service.post(`/v1/executions/${id}/cancel`);
    });

    describe('approvals with named approvers', () => {
      const named = (approvers: JsonObject): readonly JsonObject[] => [
        { id: 'ask', type: 'wait', with: { signal: 'refund', approval: { title: 'Refund?', approvers } } },
        out,
      ];
      const decideAs = async (person: SignedInPerson, url: string) =>
        service.post<JsonObject>(`/v1/approvals/${tokenOf(url)}`, undefined, {
          key: null,
          headers: person.headers,
        });

      it('an approval that requires a sign-in cannot be decided with a link, an API key or a signal', async () => {
        const { id, approve } = await ask(named({ signed_in: true }));
        const page = await fetched(approve, 'POST');
        expect(page.html).toContain('Decide in the dashboard');
        expect(page.html).toContain(`/dashboard/approvals/${tokenOf(approve)}`);
        expect(page.html).not.toContain('<form');
        expect(await service.post(`/v1/approvals/${tokenOf(approve)}`)).toMatchObject({
          status: 403,
          error: { code: 'sign_in_needed' },
        });
        const signal = await service.post(`/v1/executions/${id}/signals/refund`, {
          payload: { approved: true },
        });
        expect(signal).toMatchObject({ status: 403, error: { code: 'sign_in_needed' } });
        expect(await calls.read(id)).toMatchObject({ status: 'waiting' });
        const grace = await signedInPerson(service, 'member');
        expect((await decideAs(grace, approve)).status).toBe(200);
        expect(await calls.ended(id)).toMatchObject({
          output: { approved: true, via: 'dashboard', by: { user_id: grace.id, email: grace.email } },
        });
      });

      it('only the users and roles in `approvers` can decide an approval', async () => {
        const [viewer, member, admin] = [
          await signedInPerson(service, 'viewer'),
          await signedInPerson(service, 'member'),
          await signedInPerson(service, 'admin'),
        ];
        const approvers = { users: [viewer.email.toUpperCase()], roles: ['admin'] };
        for (const allowed of [viewer, admin]) {
          const { id, approve } = await ask(named(approvers));
          expect(await decideAs(member, approve)).toMatchObject({
            status: 403,
            error: { code: 'not_an_approver' },
          });
          expect((await decideAs(allowed, approve)).status).toBe(200);
          expect(await calls.ended(id)).toMatchObject({ output: { by: { user_id: allowed.id } } });
        }
      });

      it('with `exclude_starter: true`, a person who started an execution or its parent cannot decide an approval of that execution', async () => {
        const starter = await signedInPerson(service, 'member');
        const other = await signedInPerson(service, 'member');
        const workflow = await calls.workflow(named({ exclude_starter: true }));
        const parent = await calls.workflow([
          { id: 'child', type: 'workflow', with: { workflow_id: workflow, input: {} } },
        ]);
        for (const started of [workflow, parent]) {
          const { body } = await service.post<{ id: string }>(
            `/v1/workflows/${started}/executions`,
            {},
            { key: starter.key },
          );
          await calls.until(body.id, ({ status }) => status === 'waiting');
          const child = (await calls.events(body.id)).find(
            ({ data }) => data['child_execution_id'] !== undefined,
          )?.data['child_execution_id'];
          const asked = typeof child === 'string' ? child : body.id;
          await calls.until(asked, ({ status }) => status === 'waiting');
          const { approve } = await linksOf(asked);
          expect(await decideAs(starter, approve)).toMatchObject({
            status: 403,
            error: { code: 'not_an_approver' },
          });
          expect((await decideAs(other, approve)).status).toBe(200);
          await calls.ended(body.id);
        }
      });

      it('with `exclude_starter: true`, the person who started or retried an execution cannot decide its approval', async () => {
        const [starter, retrier, other] = [
          await signedInPerson(service, 'member'),
          await signedInPerson(service, 'member'),
          await signedInPerson(service, 'member'),
        ];
        const workflow = await calls.workflow(named({ exclude_starter: true }));
        const first = await service.post(`/v1/workflows/${workflow}/executions`, {}, { key: starter.key });
        await calls.until(first.body.id, ({ status }) => status === 'waiting');
        await service.post(`/v1/executions/${first.body.id}/cancel`);
        await calls.ended(first.body.id);
        const retried = await service.post(`/v1/executions/${first.body.id}/retry`, {}, { key: retrier.key });
        expect(retried.status).toBe(201);
        const { id } = retried.body;
        await calls.until(id, ({ status }) => status === 'waiting');
        const { approve } = await linksOf(id);
        for (const excluded of [starter, retrier])
          expect(await decideAs(excluded, approve)).toMatchObject({
            status: 403,
            error: { code: 'not_an_approver' },
          });
        expect((await decideAs(other, approve)).status).toBe(200);
        expect(await calls.ended(id)).toMatchObject({ output: { by: { user_id: other.id } } });
      });

      it.each([{}, { users: [] }, { roles: ['king'] }, { signed_in: false }, { anybody: true }])(
        'the service refuses to save a workflow with the invalid approvers %j',
        async (approvers) => {
          const { status, error } = await service.post('/v1/workflows', {
            name: 'w',
            nodes: named(approvers as JsonObject),
          });
          expect(status).toBe(400);
          expect(String(error.details?.['field'])).toContain('nodes[0].with.approval.approvers');
        },
      );
    });

    it('an approval link returns 410 after the execution has ended or the wait has timed out', async () => {
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
        html: expect.stringContaining('deadline for this decision has passed'),
      });
    });

    it('an approval page escapes HTML in its title', async () => {
      const { id, approve } = await ask([approval({}, HOSTILE), out]);
      const { html } = await fetched(approve);
      expect(html).not.toContain('<script>');
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Refund&quot;?');
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it('an approval link with a forged or malformed token returns 404', async () => {
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

describe('an approval', () => {
  let browser: Browser;
  let process: ServiceProcess;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    process = new ServiceProcess();
    await process.start();
  });

  afterAll(async () => {
    await browser?.close();
    await process?.dispose();
  });

  it('the URL of an approval link starts with BASE_URL', async () => {
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

  it('a person can approve a request in a browser after a restart of the service', async () => {
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
