import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ServiceProcess } from '../support/service-process.js';
import { SocketClient } from '../support/socket-client.js';

const SECRETS = 1_000;
/** Number of secrets that each workflow uses. */
const GROUP = 50;
const KEY = 'dGhlIGZpcnN0IGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0=';
const ALPHABETS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'abcdefghijklmnopqrstuvwxyz0123456789-_.~!*()',
  'abcdefghijklmnopqrstuvwxyz&=?+/% "\\\'<>{}[]',
  'äöüßéñ中文字符abcdefghijklmnop',
];

interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A secret with a random value of 14 to 47 characters. */
function randomSecret(index: number): Secret {
  const signs = Array.from(ALPHABETS[index % ALPHABETS.length] ?? '');
  const length = index % 10 === 0 ? 12 : 16 + (index % 30);
  const text = [...randomBytes(length)].map((byte) => signs[byte % signs.length]).join('');
  // The secret starts and ends with a letter, because HTTP trims white space around header values.
  return { name: `S${index}`, value: `x${text}y` };
}

/** Starts an HTTP server that echoes each request in its response. The status is 500 for paths under `/fail`. */
async function startEcho(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly seen: string[];
}> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push(body);
      const sent = JSON.stringify({ url: request.url, headers: request.headers, body });
      const isText = request.url?.includes('text') === true;
      response.writeHead(request.url?.startsWith('/fail') === true ? 500 : 200, {
        'content-type': isText ? 'text/plain' : 'application/json',
        'x-echo': request.headers['x-secret'] ?? '',
      });
      response.end(sent);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Workflow nodes that copy secrets into requests, outputs, errors and logs, in several encodings. */
function leakyNodes(group: readonly Secret[], echo: string, child: string): readonly object[] {
  const all = Object.fromEntries(group.map(({ name }) => [name, `{{ secrets.${name} }}`]));
  const headers = Object.fromEntries(
    group
      .filter(({ value }) => /^[\x20-\x7e]+$/.test(value))
      .map(({ name }) => [`x-${name.toLowerCase()}`, `Bearer {{ secrets.${name} }}`]),
  );
  const [first] = group;
  const one = `{{ secrets.${first?.name} }}`;
  const goOn = { on_error: 'continue' };
  const list = group.map(({ name }) => `secrets.${name}`).join(', ');
  const post = { method: 'POST', body: all, headers };
  return [
    { id: 'echoes', type: 'http', with: { ...post, url: `${echo}/` } },
    { id: 'echoes_text', type: 'http', with: { ...post, url: `${echo}/text` } },
    { id: 'is_refused', type: 'http', with: { ...post, url: `${echo}/fail` }, ...goOn },
    { id: 'asks', type: 'http', with: { url: `${echo}/`, query: all } },
    { id: 'goes_nowhere', type: 'http', with: { url: `http://127.0.0.1:1/${one}` }, ...goOn },
    { id: 'returns', type: 'set', with: { value: { all, text: `{{ [${list}] }}`, [`k`]: one } } },
    {
      id: 'is_keyed',
      type: 'code',
      with: { input: all, source: 'return Object.fromEntries(Object.values(input).map((v, i) => [v, i]));' },
    },
    {
      id: 'is_long',
      type: 'code',
      with: { input: all, source: 'return Array(20).fill(Object.values(input));' },
    },
    {
      id: 'throws',
      type: 'code',
      with: { input: all, source: 'throw new Error(Object.values(input).join(" "));' },
      ...goOn,
    },
    { id: 'fails', type: 'fail', with: { message: `Failed with ${one}`, details: all }, ...goOn },
    {
      id: 'logs',
      type: 'code',
      with: {
        input: { list: `{{ [${list}].map(s, s) }}` },
        source: `
          for (const value of input.list.slice(0, 30)) {
            const half = Math.ceil(value.length / 2);
            console.log('first ' + value.slice(0, half));
            console.log(value.slice(half) + ' second');
            console.log(value);
          }`,
      },
    },
    {
      id: 'logs_apart',
      type: 'code',
      with: {
        input: { list: `{{ [${list}].map(s, s) }}` },
        source: `
          for (const value of input.list.slice(30)) {
            const half = Math.ceil(value.length / 2);
            console.log('first: ' + value.slice(0, half));
            console.log('second: ' + value.slice(half));
            console.log(encodeURIComponent(value));
          }`,
      },
    },
    {
      id: 'encodes',
      type: 'transform',
      with: {
        input: { list: `{{ [${list}].map(s, s) }}` },
        expression:
          '[$.list.{"url": $encodeUrlComponent($), "base64": $base64encode($), "json": $string({"v": $})}]',
      },
    },
    {
      id: 'encodes_bytes',
      type: 'transform',
      with: { input: { text: `user:${one}` }, expression: '$base64encode($.text)' },
    },
    {
      id: 'loops',
      type: 'foreach',
      with: { items: [1, 2], nodes: [{ id: 'inner', type: 'set', with: { value: all } }] },
    },
    { id: 'starts', type: 'workflow', with: { workflow_id: child, input: all } },
    {
      id: 'asks_people',
      type: 'wait',
      with: { signal: `go-${one}`, timeout_seconds: 1, approval: { title: one, description: one } },
      ...goOn,
    },
    { id: 'is_wrong', type: 'set', with: { value: `{{ int(secrets.${first?.name}) }}` }, ...goOn },
    { id: 'passes_on', type: 'set', needs: ['returns'], with: { value: '{{ nodes.returns.output }}' } },
  ];
}

/** The value of a secret in every encoding for which the test searches. */
function formsOf({ value }: Secret): readonly string[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(value),
    new URLSearchParams({ v: value }).toString().slice(2),
    value.slice(0, Math.ceil(value.length / 2)),
  ].filter((form) => form.length >= 6);
}

describe.each(await databaseKinds())('1,000 leaked secrets on $name', ({ create }) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let echo: Awaited<ReturnType<typeof startEcho>>;
  const secrets = Array.from({ length: SECRETS }, (_, index) => randomSecret(index));

  beforeAll(async () => {
    database = await create();
    echo = await startEcho();
    service = new ServiceProcess({
      DATABASE_URL: databaseUrl(database.settings),
      SECRETS_KEY: KEY,
      EGRESS_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'trace',
      RUN_CONCURRENCY: '4',
    });
    await service.start();
  });
  afterAll(async () => {
    await service?.dispose();
    echo?.server.close();
    await database?.drop();
  });

  const answers: string[] = [];

  async function call<T = { readonly id: string }>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    answers.push(text);
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  /** Everything that the database stores: the files of SQLite with their free pages, or all rows of PostgreSQL. */
  async function stored(): Promise<string> {
    const { settings } = database;
    if (settings.dialect === 'sqlite') {
      const folder = join(settings.path, '..');
      return readdirSync(folder)
        .filter((file) => file.startsWith('test.sqlite'))
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('\n');
    }
    const client = new Client({ connectionString: settings.url });
    await client.connect();
    const { rows: tables } = await client.query<{ readonly name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ readonly row: string }>(
        `SELECT t::text AS row FROM "${name}" AS t`,
      );
      texts.push(...rows.map(({ row }) => row.replaceAll('""', '"').replaceAll('\\\\', '\\')));
    }
    await client.end();
    return texts.join('\n');
  }

  it('the values of 1,000 secrets appear in no event, response, log line or database row', async () => {
    const socket = await SocketClient.authenticated(new URL(service.url).host, service.token);
    for (let from = 0; from < SECRETS; from += GROUP)
      await Promise.all(
        secrets.slice(from, from + GROUP).map((secret) => call('POST', '/v1/secrets', secret)),
      );
    const { id: child } = await call('POST', '/v1/workflows', {
      name: 'Child',
      nodes: [{ id: 'text', type: 'set', with: { value: '{{ input }}' } }],
    });
    const streams: string[] = [];
    for (let from = 0; from < SECRETS; from += GROUP) {
      const nodes = leakyNodes(secrets.slice(from, from + GROUP), echo.url, child);
      const { id: workflow } = await call('POST', '/v1/workflows', {
        name: `Leaks ${from}`,
        nodes,
        config: { timeout_seconds: 600 },
      });
      const execution = await call<{ readonly id: string; readonly status: string }>(
        'POST',
        `/v1/workflows/${workflow}/executions?wait=60`,
        {},
      );
      expect(execution).toMatchObject({ status: 'completed' });
      for (const path of ['', '/nodes?limit=100', '/events?limit=100', '/explain'])
        await call('GET', `/v1/executions/${execution.id}${path}`);
      const stream = await fetch(`${service.url}/v1/executions/${execution.id}/events`, {
        headers: { authorization: `Bearer ${service.token}`, accept: 'text/event-stream' },
      });
      streams.push(await stream.text());
    }
    await call('GET', '/v1/secrets?limit=100');
    await call('GET', '/v1/audit-log?limit=100');
    await call('GET', '/v1/executions?limit=100');
    // Checks that the nodes sent the real secrets. Otherwise the service would have nothing to mask.
    const received = echo.seen.join('\n');
    for (const { value } of secrets) expect(received).toContain(JSON.stringify(value).slice(1, -1));
    const places = {
      database: await stored(),
      answers: answers.join('\n'),
      streams: streams.join('\n'),
      socket: socket.texts.join('\n'),
      log: service.log,
    };
    expect(places.socket).toContain('[secret S999]');
    const forms = secrets.flatMap((secret) => formsOf(secret).map((form) => ({ name: secret.name, form })));
    const found = Object.entries(places).flatMap(([place, text]) =>
      occurrences(text, forms).map((one) => `${place}: ${one}`),
    );
    expect(found.slice(0, 5)).toEqual([]);
  });
});

/** Returns each occurrence of an encoded secret with the text around it. One pass searches for all encodings. */
function occurrences(
  text: string,
  forms: readonly { readonly name: string; readonly form: string }[],
): readonly string[] {
  const byStart = Map.groupBy(forms, ({ form }) => form.slice(0, 6));
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1)
    for (const { name, form } of byStart.get(text.slice(at, at + 6)) ?? [])
      if (text.startsWith(form, at)) found.push(`${name} in ${text.slice(Math.max(0, at - 300), at + 100)}`);
  return found;
}
