import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../tools/scripts/private-servers.mjs';
import { ExecutionCalls } from '../support/execution-views.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const RECEIVER = 'examples/webhook-receiver/receiver.mjs';

let service: TestService;
let receiver: ChildProcess | undefined;
let port: number;
let said = '';

beforeAll(async () => {
  port = await freePort();
  service = await TestService.start({
    environment: { EGRESS_ALLOW: `127.0.0.1:${port}`, SECRETS_KEY: 'a key of tests' },
  });
});

afterAll(async () => {
  receiver?.kill('SIGKILL');
  await service.stop();
});

/** Starts the example receiver, and waits until the receiver listens. */
async function start(secret: string): Promise<void> {
  const child = spawn(process.execPath, [RECEIVER], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver = child;
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the receiver to listen', () =>
    said.includes(`Receives webhooks at http://127.0.0.1:${port}/\n`),
  );
}

const typesSaid = (): readonly string[] => said.match(/^workflow\.\S+$/gm) ?? [];

it('the example webhook receiver processes each event once and rejects a forged event', async () => {
  const url = `http://127.0.0.1:${port}/`;
  const { body: webhook } = await service.post<{ readonly id: string; readonly secret: string }>(
    '/v1/webhooks',
    { url },
  );
  await start(webhook.secret);
  const calls = new ExecutionCalls(service);
  const { id } = await calls.start(await calls.workflow([{ id: 'a', type: 'set', with: { value: 1 } }]));
  await calls.until(id, ({ status }) => status === 'completed');
  const { body: events } = await service.get<{ readonly data: readonly { readonly type: string }[] }>(
    `/v1/executions/${id}/events`,
  );
  const types = events.data.map(({ type }) => type);
  expect(types).toContain('workflow.completed');
  await until('the delivery of every event', () => typesSaid().length >= types.length);
  expect(typesSaid()).toEqual(types);

  const path = `/v1/webhooks/${webhook.id}/deliveries`;
  const { body: log } = await service.get<{ readonly data: readonly { readonly id: string }[] }>(path);
  const repeated = await service.post<{ readonly attempts: readonly { readonly status_code: number }[] }>(
    `${path}/${log.data[0]?.id}/redeliver`,
  );
  expect(repeated.body.attempts.at(-1)).toMatchObject({ status_code: 204 });
  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"type":"workflow.forged"}',
  });
  expect(forged.status).toBe(401);
  expect(typesSaid()).toEqual(types);
});
