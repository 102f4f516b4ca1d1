import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';

/** The strictest options of the compiler, for generated code and for code that uses it. */
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
};

/** A program that makes a series of requests with openapi-typescript and openapi-fetch. */
const FETCH_ROUND = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export async function round(baseUrl: string, token: string): Promise<object> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
  const created = await client.POST('/v1/workflows', {
    body: { name: 'openapi-fetch', nodes: [{ id: 'greet', type: 'set', with: { value: 'Hello {{ input.name }}' } }] },
  });
  if (created.data === undefined) throw new Error(created.error.error.message);
  const path = { id: created.data.id };
  const started = await client.POST('/v1/workflows/{id}/executions', {
    params: { path, query: { wait: 30 }, header: { 'Idempotency-Key': 'openapi-fetch' } },
    body: { input: { name: 'Ada' } },
  });
  if (started.data === undefined) throw new Error(started.error.error.message);
  const error: components['schemas']['NullableExecutionErrorView'] = started.data.error;
  const nodes = await client.GET('/v1/executions/{id}/nodes', { params: { path: { id: started.data.id } } });
  const changed = await client.PATCH('/v1/workflows/{id}', {
    params: { path, header: { 'If-Match': created.response.headers.get('etag') ?? '' } },
    body: { description: 'changed' },
  });
  const refused = await client.POST('/v1/workflows', { body: { name: '' } });
  const deleted = await client.DELETE('/v1/workflows/{id}', { params: { path } });
  return {
    status: started.data.status,
    output: started.data.output,
    error,
    nodes: nodes.data?.data.map(({ node_id, error }) => [node_id, error?.code ?? null]),
    description: changed.data?.description,
    refusal: refused.error?.error.code,
    deleted: deleted.response.status,
  };
}
`;

/** A program that makes the same series of requests with @hey-api/openapi-ts. */
const SDK_ROUND = `
import { createClient, createConfig } from './client/index.ts';
import {
  changeWorkflow,
  createWorkflow,
  deleteWorkflow,
  listExecutionNodes,
  startExecution,
  type NullableExecutionErrorView,
} from './index.ts';

export async function round(baseUrl: string, token: string): Promise<object> {
  const client = createClient(createConfig({ baseUrl, auth: () => token }));
  const created = await createWorkflow({
    client,
    body: { name: 'hey-api', nodes: [{ id: 'greet', type: 'set', with: { value: 'Hello {{ input.name }}' } }] },
  });
  if (created.data === undefined) throw new Error(created.error.error.message);
  const path = { id: created.data.id };
  const started = await startExecution({
    client,
    path,
    query: { wait: 30 },
    headers: { 'Idempotency-Key': 'hey-api' },
    body: { input: { name: 'Ada' } },
  });
  if (started.data === undefined) throw new Error(started.error.error.message);
  const error: NullableExecutionErrorView | null = started.data.error;
  const nodes = await listExecutionNodes({ client, path: { id: started.data.id } });
  const changed = await changeWorkflow({
    client,
    path,
    headers: { 'If-Match': created.response?.headers.get('etag') ?? '' },
    body: { description: 'changed' },
  });
  const refused = await createWorkflow({ client, body: { name: '' } });
  const deleted = await deleteWorkflow({ client, path });
  return {
    status: started.data.status,
    output: started.data.output,
    error,
    nodes: nodes.data?.data.map(({ node_id, error }) => [node_id, error?.code ?? null]),
    description: changed.data?.description,
    refusal: refused.error?.error.code,
    deleted: deleted.response?.status,
  };
}
`;

const MAIN = `
import { round } from './round.ts';
declare const process: { readonly argv: readonly string[] };
const [, , url = '', token = ''] = process.argv;
console.log(JSON.stringify(await round(url, token)));
`;

describe('clients generated from /openapi.json', () => {
  let service: ServiceProcess;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'workflow-clients-'));
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    service = new ServiceProcess();
    await service.start();
  });

  afterAll(async () => {
    await service.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  it('a client generated by openapi-typescript compiles strictly and completes a series of requests', async () => {
    const folder = join(directory, 'openapi-typescript');
    mkdirSync(folder);
    // Without this option, the generator would treat fields with a default value as required in requests.
    const nodes = await openapiTypescript(new URL('/openapi.json', service.url), {
      defaultNonNullable: false,
    });
    writeFileSync(join(folder, 'schema.ts'), astToString(nodes));
    expectRound(folder, FETCH_ROUND);
  });

  it('a client generated by @hey-api/openapi-ts compiles strictly and completes a series of requests', async () => {
    const folder = join(directory, 'hey-api');
    await createClient({
      input: `${service.url}/openapi.json`,
      output: { path: folder, importFileExtension: '.ts' },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
    expectRound(folder, SDK_ROUND);
  });

  function expectRound(folder: string, program: string): void {
    writeFileSync(join(folder, 'round.ts'), program);
    writeFileSync(join(folder, 'main.ts'), MAIN);
    const project = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    expect(output([resolve('node_modules/typescript/bin/tsc'), '-p', folder])).toBe('');
    expect(JSON.parse(output([join(folder, 'main.ts'), service.url, service.token]))).toEqual({
      status: 'completed',
      output: 'Hello Ada',
      error: null,
      nodes: [['greet', null]],
      description: 'changed',
      refusal: 'invalid_request',
      deleted: 204,
    });
  }
});

/** The output of a program. If the program fails, the thrown error contains what the program wrote to stderr. */
function output(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, { stdio: 'pipe' }).toString();
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: Buffer; readonly stderr: Buffer };
    return `${stdout.toString()}${stderr.toString()}`;
  }
}
