import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { ServiceProcess } from '../support/service-process.js';
import { TerminalProgram } from '../support/terminal-program.js';
import { until } from '../support/until.js';

const directory = mkdtempSync(join(tmpdir(), 'workflow-bulk-'));
const service = new ServiceProcess();

beforeAll(() => service.start());
afterAll(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true, force: true });
});

function environment(): Record<string, string> {
  return { WORKFLOW_API_KEY: service.token, BASE_URL: service.url };
}

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function bulk(...words: readonly string[]): Promise<Run> {
  let [out, err] = ['', ''];
  const code = await runProgram(['bulk', ...words], {
    environment,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

/** Creates a workflow and starts `count` executions, which fail. @returns the id of the workflow */
async function failed(name: string, count: number): Promise<string> {
  const nodes = [{ id: 'end', type: 'fail', with: { message: 'Over.' } }];
  const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', { name, nodes });
  for (let started = 0; started < count; started += 1)
    await service.call('POST', `/v1/workflows/${id}/execute?wait=10`, { input: {} });
  return id;
}

/** Creates a workflow and starts `count` executions, which wait for 250 seconds. @returns the id of the workflow */
async function waiting(name: string, count: number): Promise<string> {
  const nodes = [{ id: 'pause', type: 'delay', with: { seconds: 250 } }];
  const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', { name, nodes });
  for (let started = 0; started < count; started += 1)
    await service.call('POST', `/v1/workflows/${id}/executions`, { input: {} });
  return id;
}

async function statuses(workflowId: string): Promise<readonly string[]> {
  const { data } = await service.call<{ data: readonly { status: string }[] }>(
    'GET',
    `/v1/executions?workflow_id=${workflowId}&limit=100`,
  );
  return data.map(({ status }) => status);
}

it('the command `bulk cancel` cancels the executions of one workflow and prints their number', async () => {
  const [id, other] = [await waiting('cancelled', 3), await waiting('not cancelled', 1)];
  const { code, out, err } = await bulk('cancel', '--workflow', 'cancelled', '--reason', 'Late.', '--yes');
  expect({ code, out }).toEqual({ code: 0, out: 'Bulk job completed: 3 succeeded, 0 failed.\n' });
  expect(err).toMatch(
    /^Bulk job \S{36} has started: 3 executions\. It continues .+\n(\d of 3 executions\n)*3 of 3 executions\n$/,
  );
  await until('the cancellation of 3 executions', async () =>
    (await statuses(id)).every((status) => status === 'cancelled'),
  );
  expect(await statuses(other)).not.toContain('cancelled');
});

it('the command `bulk retry` exits with 1 and lists the causes if executions cannot be retried', async () => {
  const id = await failed('stopped', 2);
  await service.call('PATCH', `/v1/workflows/${id}`, { status: 'paused' });
  const { code, out } = await bulk('retry', '--status', 'failed, timed_out', '--workflow', id, '--yes');
  expect(code).toBe(1);
  const [first, header, row, ...rest] = out.trimEnd().split('\n');
  expect(first).toBe('Bulk job completed: 0 succeeded, 2 failed.');
  expect(header).toMatch(/^FAILURES {2}CODE +FIRST EXECUTION +MESSAGE$/);
  expect(row).toMatch(/^2 +workflow_\w+ +[0-9a-f-]{36} +The workflow .+$/);
  expect(rest).toEqual([]);
});

it('the command `bulk retry --json` prints the completed bulk job as JSON', async () => {
  const id = await failed('again', 1);
  const { code, out } = await bulk('retry', '--workflow', id, '--latest', '--yes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    action: 'retry',
    filter: { workflow_id: id },
    status: 'completed',
    succeeded: 1,
  });
});

it('the command `bulk` changes no execution without --yes if stdin is not a terminal', async () => {
  const id = await failed('unconfirmed', 2);
  expect(await bulk('retry', '--workflow', id)).toEqual({
    code: 1,
    out: '',
    err: 'This terminal cannot ask for confirmation. Pass --yes to retry up to 2 executions.\n',
  });
  expect(await statuses(id)).toEqual(['failed', 'failed']);
  expect(await bulk('cancel', '--workflow', id)).toEqual({
    code: 0,
    out: 'No execution matches.\n',
    err: '',
  });
});

it.each([
  ['an empty filter', ['retry', '--yes'], /no filter was given/],
  [
    'a status that the action cannot change',
    ['cancel', '--status', 'failed'],
    /The command cancel does not support the status "failed"/,
  ],
  ['an unknown status', ['retry', '--status', 'lost'], /Supported: failed, cancelled, timed_out/],
  ['an unknown action', ['delete'], /unknown command 'delete'/],
])(
  'the command `bulk` exits with 2 and changes nothing after an invalid argument: %s',
  async (_, words, message) => {
    const refused = await bulk(...words);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(message);
  },
);

it.each([
  ['changes executions after "y"', 'y\r', 0, /Bulk job completed: 2 succeeded, 0 failed\./, 'cancelled'],
  ['changes nothing after Enter', '\r', 1, /no execution was changed\./, 'waiting'],
  ['changes nothing after Ctrl-C', '\u0003', 130, /\[y\/N\] \S*\r\n$/, 'waiting'],
  ['changes nothing after Ctrl-D', '\u0004', 130, /\[y\/N\] \S*\r\n$/, 'waiting'],
])(
  'in a terminal, the command `bulk cancel` asks for confirmation and %s',
  async (name, keys, code, message, status) => {
    const id = await waiting(name, 2);
    const program = new TerminalProgram('dist/src/cli/main.js', directory, environment(), [
      'bulk',
      'cancel',
      '--workflow',
      id,
    ]);
    try {
      await until('the question', () =>
        program.screen.includes('This will cancel 2 executions. Continue? [y/N] '),
      );
      program.press(keys);
      expect(await program.ended).toEqual({ code, signal: null });
      expect(program.screen).toMatch(message);
      await until(`two executions with the status ${status}`, async () =>
        (await statuses(id)).every((each) => each === status),
      );
    } finally {
      program.close();
    }
  },
);
