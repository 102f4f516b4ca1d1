import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { ServiceProcess } from '../support/service-process.js';

const root = mkdtempSync(join(tmpdir(), 'workflow-apply-'));
const service = new ServiceProcess();
let folder: string;

beforeAll(() => service.start());
beforeEach(() => {
  folder = mkdtempSync(join(root, 'files-'));
});
afterAll(async () => {
  await service.dispose();
  rmSync(root, { recursive: true, force: true });
});

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command `apply`. The returned output contains file names without the path of the test folder. */
async function apply(...words: readonly string[]): Promise<Run> {
  let [out, err] = ['', ''];
  const code = await runProgram(['apply', ...words], {
    environment: () => ({ WORKFLOW_API_KEY: service.token, BASE_URL: service.url }),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') };
}

function file(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const NODES = [
  { id: 'pause', type: 'delay', with: { seconds: 0 }, retry: { max_attempts: 2, backoff: 'fixed' } },
  { id: 'greet', type: 'set', needs: ['pause'], with: { value: { text: 'Hello', nothing: null } } },
];

interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly updated_at: string;
}

async function named(name: string): Promise<readonly Workflow[]> {
  const query = new URLSearchParams({ q: name, limit: '100' });
  const { data } = await service.call<{ data: readonly Workflow[] }>(
    'GET',
    `/v1/workflows?${query.toString()}`,
  );
  return data.filter((workflow) => workflow.name === name);
}

it('the command `apply` creates a workflow from a new file, skips an unchanged file, and adds a version for a changed file', async () => {
  const document = {
    name: 'steps',
    nodes: NODES,
    config: { timeout_seconds: 60, max_running: null },
    output: null,
  };
  const path = file('steps.json', document);
  expect(await apply('-f', path)).toEqual({ code: 0, out: 'steps.json: created (steps)\n', err: '' });
  const [created] = await named('steps');
  const reordered = NODES.map((node) => Object.fromEntries(Object.entries(node).toReversed()));
  file('steps.json', { ...document, nodes: reordered, description: '' });
  expect(await apply('-f', path)).toEqual({ code: 0, out: 'steps.json: unchanged (steps)\n', err: '' });
  expect(await named('steps')).toEqual([created]);
  file('steps.json', { ...document, config: {} });
  expect(await apply('-f', path)).toEqual({ code: 0, out: 'steps.json: new version 2 (steps)\n', err: '' });
  file('steps.json', { ...document, config: {}, tags: ['nightly'] });
  expect((await apply('-f', path)).out).toBe('steps.json: updated, still version 2 (steps)\n');
  expect(await named('steps')).toMatchObject([{ id: created?.id, version: 2, tags: ['nightly'] }]);
});

it('the command `apply` leaves a paused workflow paused if the file contains no status', async () => {
  const path = file('paused.json', { name: 'paused', nodes: NODES });
  await apply('-f', path);
  const [workflow] = await named('paused');
  await service.call('PATCH', `/v1/workflows/${workflow?.id}`, { status: 'paused' });
  expect((await apply('-f', path)).out).toBe('paused.json: unchanged (paused)\n');
});

it('the command `apply --dry-run` changes no workflow and prints what would change', async () => {
  const existing = file('existing.json', { name: 'existing', nodes: [] });
  await apply('-f', existing);
  file('existing.json', { name: 'existing', nodes: NODES });
  const missing = file('missing.json', { name: 'missing', nodes: NODES });
  expect(await apply('-f', existing, missing, '--dry-run')).toEqual({
    code: 0,
    out: 'existing.json: would get version 2 (existing)\nmissing.json: would be created (missing)\n',
    err: '',
  });
  expect(await named('existing')).toMatchObject([{ version: 1 }]);
  expect(await named('missing')).toEqual([]);
});

it('the command `apply --json` prints the id and the version of each workflow', async () => {
  file('a.json', { name: 'json a', nodes: NODES });
  file('b.json', { name: 'json b', nodes: [] });
  file('notes.txt', 'not a workflow');
  mkdirSync(join(folder, 'deeper'));
  const { code, out } = await apply('-f', folder, '--json');
  const [[a], [b]] = [await named('json a'), await named('json b')];
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([
    { file: 'a.json', result: 'created', id: a?.id, name: 'json a', version: 1 },
    { file: 'b.json', result: 'created', id: b?.id, name: 'json b', version: 1 },
  ]);
});

it('the command `apply` applies no file if one file is invalid, and prints each error with file and field', async () => {
  file('a.json', { name: 'valid neighbor', nodes: NODES });
  file('b.json', { name: '', nodes: [{ id: 'x', type: 'set', needs: ['y'], with: {} }] });
  file('c.json', { name: 'c', nodes: [{ id: 'x', type: 'nothing' }] });
  const { code, out, err } = await apply('-f', folder);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^b\.json: name: must be /),
    expect.stringMatching(/^b\.json: nodes\[0\]\.with/),
    expect.stringMatching(/^b\.json: nodes\[0\]\.needs\[0\]: .*"y"/),
    expect.stringMatching(/^c\.json: nodes\[0\]\.type: .*nothing/),
    'No workflow was changed.',
  ]);
  expect(await named('valid neighbor')).toEqual([]);
});

it('the command `apply` prints warnings of the service and still creates the workflow', async () => {
  const path = file('late.json', {
    name: 'late',
    config: { timeout_seconds: 5 },
    nodes: [{ id: 'pause', type: 'delay', with: { seconds: 60 } }],
  });
  const { code, out, err } = await apply('-f', path);
  expect({ code, out }).toEqual({ code: 0, out: 'late.json: created (late)\n' });
  expect(err).toMatch(/^late\.json: nodes\[0\]\S*: warning: .+\n$/);
});

it('the command `apply` finds a workflow by the id in the file, even if the name in the file differs', async () => {
  await apply('-f', file('twin.json', { name: 'twin', nodes: [] }));
  const [workflow] = await named('twin');
  const read = await service.call<object>('GET', `/v1/workflows/${workflow?.id}`);
  const path = file('twin.json', { ...read, name: 'renamed twin' });
  expect((await apply('-f', path)).out).toBe('twin.json: updated, still version 1 (renamed twin)\n');
  const missing = '0199a8c0-6666-7abc-8def-0123456789ab';
  expect(await apply('-f', file('lost.json', { id: missing, name: 'lost', nodes: [] }))).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^lost\.json: .*0199a8c0-6666.*\n$/),
  });
});

it('the command `apply` fails if the file has no workflow id and several workflows have the name in the file', async () => {
  for (let count = 0; count < 2; count += 1)
    await service.call('POST', '/v1/workflows', { name: 'same', nodes: [] });
  const path = file('same.json', { name: 'same', nodes: NODES });
  const [first, second] = await named('same');
  const refused = await apply('-f', path);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^same\.json: Several workflows have the name "same": .+Add the "id"/);
  file('same.json', { id: second?.id, name: 'same', nodes: NODES });
  expect((await apply('-f', path)).out).toBe('same.json: new version 2 (same)\n');
  expect(await named('same')).toEqual(
    expect.arrayContaining([first, expect.objectContaining({ id: second?.id, version: 2 })]),
  );
});

it('the command `apply` finds a workflow by name among 101 workflows whose names start with that name', async () => {
  const made = await service.call<Workflow>('POST', '/v1/workflows', { name: 'crowd', nodes: [] });
  await Promise.all(
    Array.from({ length: 101 }, (_, index) =>
      service.call('POST', '/v1/workflows', { name: `crowd ${index}`, nodes: [] }),
    ),
  );
  const { out } = await apply('-f', file('crowd.json', { name: 'crowd', nodes: [] }), '--json');
  expect(JSON.parse(out)).toMatchObject([{ id: made.id, result: 'unchanged' }]);
});

it('the command `apply --project` looks for a workflow name only in the given project', async () => {
  const { id: project } = await service.call<{ id: string }>('POST', '/v1/projects', { name: 'second' });
  const path = file('shared.json', { name: 'shared', nodes: [] });
  await apply('-f', path);
  expect((await apply('-f', path, '--project', project)).out).toBe('shared.json: created (shared)\n');
  expect((await apply('-f', path, '--project', project)).out).toBe('shared.json: unchanged (shared)\n');
  expect(await named('shared')).toHaveLength(2);
});

it('the command `apply` refuses two files that describe the same workflow', async () => {
  file('a.json', { name: 'double', nodes: [] });
  file('b.json', { name: 'double', nodes: NODES });
  expect(await apply('-f', folder)).toEqual({
    code: 1,
    out: '',
    err: 'b.json and a.json describe the same workflow, "double". Remove one of the files.\n',
  });
  expect(await named('double')).toEqual([]);
});

it('the command `apply` reports each unreadable file, and the line and column of each JSON error', async () => {
  const { code, out, err } = await apply(
    '-f',
    join(folder, 'none.json'),
    file('list.json', '[]'),
    file('number.json', { id: 1, name: 'x' }),
    file('comma.json', '{\n  "name": "x",\n}'),
    file('word.json', '{\n  "name": hello,\n  "nodes": []\n}'),
    file('short.json', '{"name":\n'),
    file('empty.json', ''),
  );
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^none\.json cannot be read: ENOENT/),
    'list.json must contain a JSON object with the fields of a workflow.',
    'number.json: "id" must be a string.',
    'comma.json is not valid JSON (line 3, column 1): Expected double-quoted property name.',
    "word.json is not valid JSON (line 2, column 11): Unexpected token 'h'.",
    'short.json is not valid JSON (line 2, column 1): Unexpected end of JSON input.',
    'empty.json is not valid JSON (line 1, column 1): Unexpected end of JSON input.',
  ]);
});

it('the command `apply` refuses a folder without .json files, and a call without the option -f', async () => {
  mkdirSync(join(folder, 'empty'));
  expect(await apply('-f', join(folder, 'empty'))).toEqual({
    code: 1,
    out: '',
    err: 'The folder empty contains no .json file with a workflow.\n',
  });
  expect(await apply()).toMatchObject({ code: 2, out: '' });
});
