import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_TYPES } from '../../src/errors/service-error.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema; readonly example?: object }>>;
  };
}

let service: WholeService;

beforeAll(async () => {
  service = await startWholeService({ RATE_LIMIT_PLANS: JSON.stringify(UNLIMITED) });
});

afterAll(() => service.close());

const GENEROUS = { requests_per_minute: 10_000_000, burst: 10_000_000 };
const UNLIMITED = { free: GENEROUS, pro: GENEROUS, enterprise: GENEROUS, standard: GENEROUS };

function send(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port: service.port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          authorization: `Bearer ${service.key}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    outgoing.on('error', reject).end(body);
  });
}

/** Fails the test if the response is a server error (5xx) or an error that is not in the documented format. */
function expectRefusal(answer: Answer, what: string): void {
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500);
  if (answer.status < 400) return;
  const { error, ...rest } = JSON.parse(answer.text) as { error: Record<string, unknown> };
  expect(rest, what).toEqual({});
  const kinds =
    answer.status === 409
      ? ['conflict_error', 'idempotency_error']
      : [ERROR_TYPES[answer.status as keyof typeof ERROR_TYPES]];
  expect(kinds, what).toContain(error['type']);
  expect(error, what).toMatchObject({
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z][a-z0-9_]+$/),
  });
  expect(error['request_id'], what).toBe(answer.headers['x-request-id']);
  expect(
    Object.keys(error).filter(
      (key) => !['type', 'message', 'details', 'retry_after', 'code', 'request_id'].includes(key),
    ),
    what,
  ).toEqual([]);
  if (error['type'] === 'validation_error')
    expect(error['details'], `${what}: ${answer.text}`).toMatchObject({
      field: expect.any(String),
      reason: expect.any(String),
      errors: expect.any(Array),
    });
}

const UNKNOWN_ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';
const PATH_PARTS = [
  UNKNOWN_ID,
  'x',
  '%00',
  '%',
  '%ff',
  '..',
  '-1',
  '9'.repeat(400),
  "'%20OR%201=1--",
  '%F0%9F%92%A9',
  'constructor',
  '__proto__',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  9e15,
  '',
  'x',
  'x'.repeat(20_000),
  "'; DROP TABLE users --",
  '\u{1f4a9}',
  [],
  [null],
  [[]],
  {},
  { a: null },
  { constructor: 1 },
];
const QUERY_VALUES = [
  '',
  'x',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'null',
  '%00',
  '%ff',
  '%F0%9F%92%A9',
  "'",
  '*',
  'true',
  '2026-13-45T00:00:00Z',
];
const BODIES = [
  'null',
  '[]',
  '0',
  '{',
  '{"a":1e999}',
  '{"__proto__":1}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  '{"unknown":1}',
  '{}',
];

/** Replaces the parameters in a path with the id of a new workflow or execution, or with an unknown id. */
async function existing(template: string): Promise<string> {
  if (!template.includes('{')) return template;
  const workflow = JSON.parse((await send('POST', '/v1/workflows', '{"name":"there"}')).text) as {
    id: string;
  };
  const execution = JSON.parse(
    (await send('POST', `/v1/workflows/${workflow.id}/executions`, '{}')).text,
  ) as { id: string };
  const ids: Readonly<Record<string, string>> = { workflows: workflow.id, executions: execution.id };
  return template.replaceAll(
    /(\w+)\/\{(\w+)\}/g,
    (_, parent: string, name: string) => `${parent}/${name === 'id' ? (ids[parent] ?? UNKNOWN_ID) : '1'}`,
  );
}

/** Removes ids of other resources from an example body, because those resources do not exist in this test. */
function withoutReferences(example: object | undefined): object {
  return Object.fromEntries(Object.entries(example ?? {}).filter(([name]) => !name.endsWith('_id')));
}

it('no operation of the API returns a server error (5xx) for an invalid request', async () => {
  const document = JSON.parse((await send('GET', '/openapi.json')).text) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const answered = new Map<number, number>();
  let pages: ReadonlySet<number> = new Set();
  const ask = async (method: string, path: string, body?: string): Promise<void> => {
    const answer = await send(method, path, body);
    answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1);
    // The OpenAPI document describes HTML pages as the error responses of operations for browsers.
    if (pages.has(answer.status)) {
      expect(answer.headers['content-type'], path).toMatch(/^text\/html/);
      return;
    }
    expectRefusal(answer, `${method} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`);
  };
  const membersOf = (schema: Schema | undefined): readonly string[] => {
    const target =
      schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return Object.keys(target?.properties ?? {});
  };
  for (const [template, item] of Object.entries(document.paths))
    for (const [name, operation] of Object.entries(item)) {
      const method = name.toUpperCase();
      pages = new Set(
        Object.entries(operation.responses)
          .filter(([, { content }]) => content?.['text/html'] !== undefined)
          .map(([status]) => Number(status)),
      );
      const path = await existing(template);
      if (template.includes('{'))
        for (const part of PATH_PARTS) await ask(method, template.replaceAll(/\{[^}]+\}/g, part));
      for (const parameter of operation.parameters ?? [])
        if (parameter.in === 'query')
          for (const value of QUERY_VALUES) await ask(method, `${path}?${parameter.name}=${value}`);
      await ask(method, `${path}?unknown=1&__proto__=2&limit=1&limit=2`);
      const media = operation.requestBody?.content['application/json'];
      if (media === undefined) continue;
      for (const body of BODIES) await ask(method, path, body);
      for (const member of membersOf(media.schema))
        for (const value of VALUES)
          await ask(method, path, JSON.stringify({ ...withoutReferences(media.example), [member]: value }));
    }
  for (const [status, least] of [
    [200, 50],
    [201, 50],
    [400, 500],
    [404, 10],
  ] as const)
    expect(answered.get(status), String(status)).toBeGreaterThan(least);
}, 600_000);

it('errors of the HTTP layer and errors of application code have the same format', async () => {
  const workflow = await send('POST', '/v1/workflows', '{"name":"shape"}');
  expect(workflow.status, workflow.text).toBe(201);
  const { id } = JSON.parse(workflow.text) as { id: string };
  const refusals: readonly (readonly [number, Promise<Answer>])[] = [
    [400, send('POST', '/v1/workflows', '{}')],
    [401, send('GET', '/v1/workflows', undefined, { authorization: 'Bearer nothing' })],
    [401, send('GET', '/nowhere', undefined, { authorization: 'Basic x' })],
    [404, send('GET', `/v1/workflows/${UNKNOWN_ID}`)],
    [404, send('GET', '/v2/workflows')],
    [405, send('PUT', '/v1/workflows', '{}')],
    [412, send('PUT', `/v1/workflows/${id}`, '{"name":"other"}', { 'if-match': '"0"' })],
    [413, send('POST', '/v1/workflows', ' '.repeat(1_100_000))],
    [415, send('POST', '/v1/workflows', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' })],
  ];
  for (const [status, pending] of refusals) {
    const answer = await pending;
    expect(answer.status, answer.text).toBe(status);
    expectRefusal(answer, String(status));
  }
});

it('the error for an invalid timeout in the configuration of a workflow names the field', async () => {
  for (const timeout of [0, 3601, -1, 1.5, '10', null, [], {}]) {
    const answer = await send(
      'POST',
      '/v1/workflows',
      JSON.stringify({ name: 'x', config: { timeout_seconds: timeout } }),
    );
    expect([timeout, answer.status, JSON.parse(answer.text)]).toMatchObject([
      timeout,
      400,
      { error: { type: 'validation_error', details: { field: 'config.timeout_seconds' } } },
    ]);
  }
});
