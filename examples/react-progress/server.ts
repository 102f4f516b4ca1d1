/** Backend of the page. It has the API key; the page gets a view token for the execution that it started. */
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer as createVite } from 'vite';

const { WORKFLOW_URL = 'http://127.0.0.1:3000', WORKFLOW_API_KEY = '', PORT = '5174' } = process.env;
const INSTALLED = 'node_modules/@workflow-service/client';

const step = (id: string, type: string, parameters: object, needs: readonly string[] = []): object => ({
  id,
  type,
  with: parameters,
  needs,
});
const WORKFLOW = {
  name: 'Order progress',
  nodes: [
    step('reserve', 'set', { value: '{{ input.item }}' }),
    step('pick', 'delay', { seconds: 1 }, ['reserve']),
    step('pack', 'delay', { seconds: 1 }, ['pick']),
    step('ship', 'set', { value: 'On its way: {{ nodes.reserve.output }}' }, ['pack']),
  ],
};

let workflowId: Promise<string> | undefined;

async function call<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(WORKFLOW_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${WORKFLOW_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function placeOrder(): Promise<object> {
  workflowId ??= call<{ id: string }>('/v1/workflows', WORKFLOW).then(({ id }) => id);
  const started = `/v1/workflows/${await workflowId}/executions`;
  const { id } = await call<{ id: string }>(started, { input: { item: 'One blue lamp' } });
  const { token } = await call<{ token: string }>('/v1/auth/view-tokens', { execution_id: id });
  return { serviceUrl: WORKFLOW_URL, token, steps: WORKFLOW.nodes };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/api/orders') return vite.middlewares(request, response);
  placeOrder().then(
    (order) => answer(response, 201, order),
    (error: unknown) => answer(response, 502, { message: String(error) }),
  );
});

const root = import.meta.dirname;
const vite = await createVite({
  root,
  configFile: false,
  plugins: [react()],
  // In the repository itself, the page uses the client's source.
  resolve: existsSync(join(root, INSTALLED))
    ? {}
    : { alias: { '@workflow-service/client': join(root, '../../clients/typescript/src/index.ts') } },
  server: { middlewareMode: true, hmr: { server }, fs: { allow: [join(root, '../..')] } },
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(
    `Open http://127.0.0.1:${port} (the service needs CORS_ORIGINS=http://127.0.0.1:${port})\n`,
  );
});
