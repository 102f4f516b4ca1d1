import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { PluginFolder } from '../support/plugin-folder.js';
import { ServiceProcess } from '../support/service-process.js';

let directory: string;
let service: ServiceProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflow-module-'));
});
afterEach(async () => {
  await service?.dispose();
  service = undefined;
  rmSync(directory, { recursive: true, force: true });
});

async function create(...words: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await runProgram(['create-module', ...words], {
    environment: () => ({ INIT_CWD: directory }),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

it('the command `create-module` creates a plug-in that passes its specs and serves its routes', async () => {
  const { code, out, err } = await create('policies');
  const folder = join(directory, 'policies');
  expect([code, err]).toEqual([0, expect.stringContaining(`WORKFLOW_PLUGINS=${folder} npm start`)]);
  expect(out).toContain(join(folder, 'src/policy.entity.ts'));
  const made = new PluginFolder(folder);
  made.compile();
  made.test();
  service = new ServiceProcess({ WORKFLOW_PLUGINS: folder });
  await service.start();
  await service.call('POST', '/v1/policies', { text: 'First' });
  expect(await service.call('GET', '/v1/policies')).toMatchObject({ data: [{ text: 'First' }] });
});

it('the command `create-module` rejects an existing folder and a name that is not a plural noun', async () => {
  expect((await create('orders')).code).toBe(0);
  const again = await create('orders');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('exists. Choose another name')]);
  expect((await create('order')).code).toBe(2);
});

it('each code listing in docs/adding-a-module.md equals the file of the same path in examples/plugins/notes', () => {
  const guide = readFileSync('docs/adding-a-module.md', 'utf8');
  const blocks = [...guide.matchAll(/```ts\n\/\/ file: (\S+)\n([^]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(8);
  for (const [, path = '', code] of blocks)
    expect(code, path).toBe(readFileSync(join('examples/plugins/notes', path), 'utf8'));
});
