import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { SignInCookie } from '../../src/auth/sign-in/sign-in-cookie.js';
import { readSettings } from '../../src/settings/index.js';
import { checkedSettings } from '../../src/start/checked-settings.js';
import { selfSigned } from '../support/self-signed.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const { cert, key } = selfSigned();
const folder = mkdtempSync(join(tmpdir(), 'workflow-tls-'));
const TLS_CERT = join(folder, 'cert.pem');
const TLS_KEY = join(folder, 'key.pem');
const OTHER_KEY = join(folder, 'other.pem');
const TEXT = join(folder, 'text.pem');
let service: WholeService;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function call(method: string, path: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: service.port,
        ca: cert,
        method,
        path,
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

beforeAll(async () => {
  writeFileSync(TLS_CERT, cert);
  writeFileSync(TLS_KEY, key);
  writeFileSync(OTHER_KEY, selfSigned().key);
  writeFileSync(TEXT, 'no certificate');
  service = await startWholeService({ TLS_CERT, TLS_KEY });
});

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

it('a service with TLS_CERT serves https and sends the header Strict-Transport-Security', async () => {
  const made = await call('POST', '/v1/workflows', { name: 'sealed' });
  expect([made.status, made.headers['strict-transport-security']]).toEqual([
    201,
    'max-age=31536000; includeSubDomains',
  ]);
  expect((await call('GET', String(made.headers['location']))).status).toBe(200);
});

it('a service with TLS_CERT rejects plain http requests', async () => {
  await expect(fetch(`http://127.0.0.1:${service.port}/health/live`)).rejects.toThrow();
});

it('a service with TLS_CERT accepts WebSocket connections over wss', async () => {
  const socket = new WebSocket(`wss://127.0.0.1:${service.port}/ws`, { ca: cert });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token: service.key }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(message.toString())).toMatchObject({ type: 'auth.success' });
  socket.close();
});

it('the sign-in cookie of the dashboard is Secure if TLS_CERT is set', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  new SignInCookie(readSettings({ TLS_CERT, TLS_KEY })).set(response, 'secret');
  expect(response.getHeader('Set-Cookie')).toMatch(/^__Host-.+; Secure/);
});

it.each([
  [
    { TLS_CERT },
    'TLS_CERT and TLS_KEY must be set together: the files of a certificate and of its private key',
  ],
  [
    { TLS_KEY },
    'TLS_CERT and TLS_KEY must be set together: the files of a certificate and of its private key',
  ],
  [{ TLS_CERT: join(folder, 'none'), TLS_KEY }, `TLS_CERT: ${join(folder, 'none')} cannot be read (ENOENT)`],
  [{ TLS_CERT: TEXT, TLS_KEY }, `TLS_CERT: ${TEXT} contains no PEM certificate`],
  [{ TLS_CERT, TLS_KEY: TEXT }, `TLS_KEY: ${TEXT} contains no PEM private key without a passphrase`],
  [{ TLS_CERT, TLS_KEY: OTHER_KEY }, `TLS_KEY: ${OTHER_KEY} does not match the certificate in ${TLS_CERT}`],
  [
    { TLS_CERT, TLS_KEY, BASE_URL: 'http://flows.example.com' },
    'BASE_URL must begin with https:// if TLS_CERT is set',
  ],
])('the service does not start with the invalid TLS settings %j', (settings, fault) => {
  expect(() => checkedSettings(settings)).toThrow(fault);
});
