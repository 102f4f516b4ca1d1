import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { TestService } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'workflow-commands-'));
let service: TestService;
let workflow: string;

beforeAll(async () => {
  service = await TestService.start();
  const nodes = [{ id: 'text', type: 'set', with: { value: '{{ input }}' } }];
  workflow = (await service.post('/v1/workflows', { name: 'Called', nodes })).body.id;
});

afterAll(async () => {
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function run(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await runProgram(words, {
    environment: () => ({ WORKFLOW_API_KEY: service.key, BASE_URL: service.baseUrl }),
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { code, ...written };
}

function file(name: string, value: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

describe('the command `hooks`', () => {
  it('the CLI command `hooks` creates and tests a hook, and lists the hook without its URL', async () => {
    const fields = file('hook.json', { input: { n: '{{ request.body.n }}' } });
    const made = await run(
      'hooks',
      'create',
      workflow,
      '--name',
      'Orders',
      '--output',
      '--file',
      fields,
      '--json',
    );
    expect(made.code).toBe(0);
    const { id, url } = JSON.parse(made.out) as { id: string; url: string };
    const listed = await run('hooks', 'list', '--workflow', workflow);
    expect(listed.out).toMatch(new RegExp(`^ID +STATUS.*\n${id} +active +start +never +http.*Orders\n$`));
    expect(listed.out).not.toContain(url);
    const tested = await run('hooks', 'test', id, '--body', file('body.json', { n: 4 }));
    expect([tested.code, JSON.parse(tested.out)]).toEqual([0, { n: 4 }]);
  });

  it('the CLI command `hooks create` prints the error of the service and exits with 1', async () => {
    const { code, out, err } = await run('hooks', 'create', workflow, '--type', 'github', '--secret', 'NO');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('NO does not exist');
  });

  it('the CLI command `hooks create` refuses a secret without the type of the verification', async () => {
    const { code, out, err } = await run('hooks', 'create', workflow, '--secret', 'NO');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('--secret has no effect without --type.');
  });
});

describe('the commands `run` and `executions`', () => {
  interface Shown {
    readonly id: string;
    readonly status: string;
    readonly output: unknown;
    readonly input: unknown;
  }

  it('the CLI command `run --json` starts a workflow by name with the input {} and prints the execution', async () => {
    const { code, out, err } = await run('run', 'Called', '--json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ status: 'completed', input: {}, output: {} });
  });

  it('the CLI command `run` rejects a name that matches no workflow or several workflows', async () => {
    expect(await run('run', 'Nothing')).toMatchObject({ code: 1, err: 'No workflow matches "Nothing".\n' });
    for (const _ of [1, 2]) await service.post('/v1/workflows', { name: 'Twice', nodes: [] });
    expect((await run('run', 'Twice')).err).toBe(
      'Several workflows match "Twice". Pass the id of one of them.\n',
    );
  });

  it('the CLI command `executions` lists, shows, retries and cancels executions and prints their logs', async () => {
    const nodes = [
      { id: 'say', type: 'code', with: { source: 'console.log("hello"); return 1' } },
      { id: 'stay', type: 'wait', needs: ['say'], with: { signal: 'go' } },
    ];
    const { id: logging } = (await service.post('/v1/workflows', { name: 'Logging', nodes })).body;
    const { id } = (await service.post(`/v1/workflows/${logging}/executions`, {})).body;
    const short = id.slice(-8);
    const shown = async (): Promise<Shown> =>
      JSON.parse((await run('executions', 'get', short)).out) as Shown;
    await expect.poll(async () => (await shown()).status).toBe('waiting');
    const listed = await run('executions', 'list', '--workflow', 'Logging', '--status', 'waiting');
    expect(listed.out).toMatch(new RegExp(`^ID +STATUS.*\n${id} +waiting .*Logging\n$`));
    expect((await run('executions', 'logs', id)).out).toBe('say: hello\n');
    expect(await run('executions', 'cancel', short)).toMatchObject({ code: 0 });
    expect((await shown()).status).toBe('cancelled');
    const again = JSON.parse((await run('executions', 'retry', id)).out) as Shown;
    expect(again.id).not.toBe(id);
    await run('executions', 'cancel', again.id);
    expect((await run('executions', 'get', 'ffffffff')).err).toBe('No execution matches "ffffffff".\n');
  });

  it('the CLI commands `executions approve` and `executions reject` decide the approval of a waiting execution', async () => {
    const nodes = [{ id: 'ask', type: 'wait', with: { signal: 'ok', approval: { title: 'Pay?' } } }];
    const { id: asking } = (await service.post('/v1/workflows', { name: 'Asking', nodes })).body;
    for (const [verb, approved] of [
      ['approve', true],
      ['reject', false],
    ] as const) {
      const { id } = (await service.post(`/v1/workflows/${asking}/executions`, {})).body;
      const shown = async (): Promise<Shown> => JSON.parse((await run('executions', 'get', id)).out) as Shown;
      await expect.poll(async () => (await shown()).status).toBe('waiting');
      expect(await run('executions', verb, id, '--comment', 'Seen.')).toMatchObject({ code: 0, err: '' });
      await expect.poll(async () => (await shown()).output).toMatchObject({ approved, comment: 'Seen.' });
      expect((await run('executions', verb, id)).err).toBe('The execution does not wait for an approval.\n');
    }
  });
});

describe('the command `diff`', () => {
  it('the CLI command `diff` prints the differences between two executions', async () => {
    const executed = async (input: unknown): Promise<string> =>
      (await service.post(`/v1/workflows/${workflow}/executions?wait=60`, { input })).body.id;
    const [base, other] = [await executed({ total: 1 }), await executed({ total: 2, note: 'x' })];
    const printed = await run('diff', base, other);
    expect(printed.code).toBe(0);
    const lines = printed.out.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(lines).toEqual(
      expect.arrayContaining([
        ['BASE', 'OTHER'],
        ['status', 'completed', 'completed'],
        ['path', 'text', 'text'],
        ['input /total', '1', '2'],
        ['input /note', '-', '"x"'],
        ['text output /total', '1', '2'],
      ]),
    );
    const raw = await run('diff', base, other, '--json');
    expect(JSON.parse(raw.out)).toMatchObject({ equal: false, base: { id: base }, other: { id: other } });
  });

  it('the CLI command `diff` exits with 1 if an execution is unknown', async () => {
    const unknown = '0199a8c0-0000-7000-8000-000000000000';
    expect(await run('diff', unknown, unknown)).toMatchObject({ code: 1, out: '' });
  });
});

describe('the command `schedules`', () => {
  it('the CLI command `schedules` creates, lists, pauses, resumes, triggers and backfills a schedule', async () => {
    const input = file('input.json', { region: 'north' });
    const made = await run(
      'schedules',
      'create',
      workflow,
      '--cron',
      '0 9 * * *',
      '--name',
      'Daily',
      '--input',
      input,
    );
    const { id, input: given } = JSON.parse(made.out) as { id: string; input: unknown };
    expect(given).toEqual({ region: 'north' });
    expect((await run('schedules', 'list')).out).toMatch(
      new RegExp(`\n${id} +active +\\S+ +0 9 \\* \\* \\* \\(UTC\\) +Daily\n$`),
    );
    expect(JSON.parse((await run('schedules', 'pause', id)).out)).toMatchObject({ status: 'paused' });
    expect(JSON.parse((await run('schedules', 'resume', id)).out)).toMatchObject({ status: 'active' });
    expect(JSON.parse((await run('schedules', 'trigger', id)).out)).toMatchObject({ workflow_id: workflow });
    const span = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-07T23:00:00Z'];
    expect(JSON.parse((await run('schedules', 'backfill', id, ...span)).out)).toMatchObject({ instants: 7 });
  });

  it('the CLI command `schedules create` prints an error about an invalid cron expression and exits with 1', async () => {
    const { code, err } = await run('schedules', 'create', workflow, '--cron', 'x');
    expect([code, err]).toEqual([1, expect.stringContaining('cron is not a valid cron expression')]);
  });
});

describe('the command `search`', () => {
  it('the CLI command `search` prints each result with its kind, and prints JSON with `--json`', async () => {
    const found = await run('search', 'call', '--kind', 'workflow');
    expect(found).toEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^KIND +ID +STATUS +NAME +FOUND IN\nworkflow +${workflow} +active +Called +Called\n$`),
      ),
      err: '',
    });
    const json = await run('search', workflow.slice(-8), '--limit', '1', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      data: [{ kind: 'workflow', id: workflow }],
      unsearched: null,
    });
  });

  it('the CLI command `search` exits with 2 if no search text is given', async () => {
    expect((await run('search')).code).toBe(2);
  });
});
