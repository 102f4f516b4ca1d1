import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestService } from '../support/service.js';

const BASE_URL = 'https://example.com/tools/flows';
const PATH = '/tools/flows';
const TRACES = 'https://traces.example.com/?org=1&id={trace_id}';
let service: TestService;

beforeAll(async () => {
  service = await TestService.start({
    environment: { BASE_URL: `${BASE_URL}/`, TRACE_URL_TEMPLATE: TRACES },
  });
});
afterAll(() => service?.stop());

/** Expects a link that starts with BASE_URL. @returns the path of the link, for requests to the test service */
function pathOf(link: unknown): string {
  expect(link).toEqual(expect.stringMatching(/^https:\/\/example\.com\/tools\/flows\//));
  return String(link).slice('https://example.com'.length);
}

it('the service accepts request paths with and without the path of BASE_URL, and responds 404 to any other prefix', async () => {
  for (const path of ['/v1/workflows', `${PATH}/v1/workflows?limit=1`, '/health/live', `${PATH}/health/live`])
    expect([path, (await service.get(path)).status]).toEqual([path, 200]);
  for (const path of ['/tools/v1/workflows', '/Tools/flows/v1/workflows', `${PATH}${PATH}/v1/workflows`])
    expect([path, (await service.get(path)).status]).toEqual([path, 404]);
});

it.each([
  ['/v1/workflows', { name: 'a' }],
  ['/v1/sessions', { name: 'a' }],
  ['/v1/projects', { name: 'a' }],
  ['/v1/keys', { name: 'a' }],
])(
  'the response to POST %s has a Location header with the absolute URL of the created resource',
  async (path, body) => {
    const headers = { 'idempotency-key': `one-of-${path}` };
    for (const replayed of [null, 'true']) {
      const made = await service.post(path, body, { headers });
      expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, replayed]);
      const found = await service.get(pathOf(made.headers.get('location')));
      expect(found.body.id).toBe(made.body.id);
    }
  },
);

it('the URLs of executions, large values and approvals in responses are absolute and start with BASE_URL', async () => {
  const { body: workflow } = await service.post('/v1/workflows', {
    name: 'links',
    nodes: [
      { id: 'long', type: 'set', with: { value: 'x'.repeat(20_000) } },
      { id: 'ask', type: 'wait', needs: ['long'], with: { signal: 'go', approval: { title: 'Go on?' } } },
    ],
  });
  const started = await service.post(`/v1/workflows/${workflow.id}/executions?wait=1`, {});
  expect(pathOf(started.headers.get('location'))).toBe(`${PATH}/v1/executions/${started.body.id}`);
  const { body } = await service.get<{ data: { type: string; data: Record<string, unknown> }[] }>(
    `/v1/executions/${started.body.id}/events`,
  );
  const long = body.data.find(({ data }) => 'output_url' in data);
  expect((await service.get(pathOf(long?.data['output_url']))).body).toBe('x'.repeat(20_000));
  const waiting = body.data.find(({ type }) => type === 'workflow.node.waiting');
  const page = await fetch(service.baseUrl + pathOf(waiting?.data['approve_url']), {
    headers: { accept: 'text/html' },
  });
  expect(page.status).toBe(200);
});

it('the Link header of a /v0 response contains the absolute URL of the /v1 route', async () => {
  const { headers } = await service.get('/v0/workflows');
  expect(headers.get('link')).toBe(`<${BASE_URL}/v1/workflows>; rel="successor-version"`);
});

it('the service accepts WebSocket connections below the path of BASE_URL, and the AsyncAPI document names that path', async () => {
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}${PATH}/ws`);
  await once(socket, 'open');
  socket.close();
  const { body } = await service.get<{ servers: unknown }>('/asyncapi.json');
  expect(body.servers).toEqual({
    service: { host: 'example.com', protocol: 'wss', pathname: PATH },
  });
});

it('the OpenAPI document, the Swagger page and the dashboard use the path of BASE_URL in their links', async () => {
  const { body } = await service.get<{ servers: unknown }>('/openapi.json');
  expect(body.servers).toEqual([{ url: BASE_URL }]);
  const text = async (path: string) => (await fetch(service.baseUrl + path)).text();
  expect(await text('/swagger')).toContain(`src="${PATH}/swagger/start.js"`);
  expect(await text('/swagger/start.js')).toContain(`url: "${PATH}/openapi.json"`);
  const page = await text(`${PATH}/dashboard/workflows`);
  expect(page).toContain(`<meta name="service-path" content="${PATH}" />`);
  expect(page).toContain(`<meta name="trace-url-template" content="${TRACES.replace('&', '&amp;')}" />`);
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
  expect(script).toMatch(/^\/tools\/flows\/dashboard\//);
  expect((await fetch(service.baseUrl + script)).status).toBe(200);
});
