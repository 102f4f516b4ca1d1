import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { ServiceProcess } from '../support/service-process.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { TerminalProgram } from '../support/terminal-program.js';
import { until } from '../support/until.js';

const directory = mkdtempSync(join(tmpdir(), 'workflow-commands-'));
const service = new ServiceProcess();

beforeAll(() => service.start());
afterEach(() => SpawnedProgram.killAll());
afterAll(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true, force: true });
});

function command(...words: readonly string[]): SpawnedProgram {
  return commandWith({ WORKFLOW_API_KEY: service.token, BASE_URL: service.url }, ...words);
}

function commandWith(
  settings: Readonly<Record<string, string>>,
  ...words: readonly string[]
): SpawnedProgram {
  return new SpawnedProgram('dist/src/cli/main.js', directory, settings, words);
}

/** Creates a workflow. @returns the workflow's id */
async function workflow(...nodes: readonly object[]): Promise<string> {
  return (await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'made', nodes })).id;
}

function greeting(): Promise<string> {
  return workflow({ id: 'text', type: 'set', with: { value: 'Hello {{ input.name }}!' } });
}

describe('the command `run`', () => {
  it('the CLI command `run` prints one line per event and exits with 0 when the execution completes', async () => {
    writeFileSync(join(directory, 'input.json'), '{"name":"Ada"}');
    const program = command('run', await greeting(), '--input', 'input.json');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.err).toBe('');
    const [note, ...lines] = program.out.trimEnd().split('\n');
    expect(note).toBe(`Execution ${/[0-9a-f-]{36}/.exec(note ?? '')?.[0]} is running at ${service.url}.`);
    expect(lines.map((line) => line.replace(/ +\d+\.\d+ s +/, ' ').trim())).toEqual([
      '#1 workflow.queued',
      '#2 workflow.started',
      '#3 workflow.node.started   text',
      expect.stringMatching(/^#4 workflow\.node\.complete {2}text, \d+ ms, 1 of 1 nodes$/),
      expect.stringMatching(/^#5 workflow\.completed {6}\d+ ms, output "Hello Ada!"$/),
      'Completed. Output: "Hello Ada!"',
    ]);
  });

  it('the CLI command `run` exits with 1 if the execution fails, and prints its error without control characters', async () => {
    const message = 'It \u001b[2J is\nover.';
    const program = command('run', await workflow({ id: 'end', type: 'fail', with: { message } }));
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.out).toContain('\nFailed: It  [2J is over.\n');
    expect(program.out).not.toContain('\u001b');
  });

  it('the CLI command `run` reconnects after a kill and restart of the server and reports the end of the execution', async () => {
    const own = new ServiceProcess();
    try {
      await own.start();
      const { port } = new URL(own.url);
      const { id } = await own.call<{ id: string }>('POST', '/v1/workflows', {
        name: 'slow',
        nodes: [{ id: 'pause', type: 'delay', with: { seconds: 3 } }],
      });
      const program = commandWith({ WORKFLOW_API_KEY: own.token }, 'run', id, '--url', own.url);
      await program.prints(/node\.waiting/);
      await own.kill();
      await program.prints(/The connection was lost; trying again in \d+\.\d s\./);
      await own.start(port);
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(program.out).toMatch(/Reconnected; no events were missed\.[^]*Completed\. Output: /);
    } finally {
      await own.dispose();
    }
  });

  it('the CLI command `run` exits with 130 on Ctrl-C, and the execution continues', async () => {
    const program = command('run', await workflow({ id: 'wait', type: 'delay', with: { seconds: 60 } }));
    const [, id = ''] = await program.prints(/Execution (\S+) is running/);
    await program.prints(/node\.waiting/);
    program.signal('SIGINT');
    expect(await program.ended).toEqual({ code: 130, signal: null });
    expect(program.out).toContain(`Stopped watching. Execution ${id} continues.\n`);
    const { status } = await service.call<{ status: string }>('GET', `/v1/executions/${id}`);
    expect(['running', 'waiting']).toContain(status);
  });

  it('the CLI command `run` redraws its output on a terminal instead of writing lines', async () => {
    const written: string[] = [];
    const code = await runProgram(['run', await greeting(), '--url', service.url], {
      environment: () => ({ WORKFLOW_API_KEY: service.token, NO_COLOR: '1' }),
      out: () => expect.fail('The command wrote to stdout instead of redrawing the terminal.'),
      err: () => expect.fail('The command wrote to stderr.'),
      screen: { columns: 80, write: (text) => written.push(text) },
    });
    // The execution fails because the command passes no input, so `input.name` is missing.
    expect(code).toBe(1);
    expect(written.at(-1)).toBe('\u001b[?25h');
    expect(written.join('')).toMatch(/✗ text {2}set[^]*1 of 1 nodes {3}event \d+ {3}failed[^]*Failed: /);
  });

  it.each([
    ['no API key is given', {}, ['run', 'x'], /^No API key was given\. Set WORKFLOW_API_KEY, .+\n$/],
    ['the key file is missing', {}, ['watch', '--key-file', 'none'], /^none cannot be read: .+\n$/],
    [
      'no service responds',
      { WORKFLOW_API_KEY: 'x' },
      ['watch', '--url', 'http://127.0.0.1:1/'],
      /^There is no response from http:\/\/127\.0\.0\.1:1\. Start the service, or set its address with --url\.\n$/,
    ],
    ['the API key is unknown', { WORKFLOW_API_KEY: 'x' }, ['watch'], /^[^\n]*key[^\n]*\n$/],
    ['the workflow does not exist', { WORKFLOW_API_KEY: service.token }, ['run', 'none'], /^[^\n]+\n$/],
  ])(
    'the CLI commands `run` and `watch` print a one-line error and exit with 1 if %s',
    async (_, settings, words, told) => {
      const program = commandWith({ BASE_URL: service.url, ...settings }, ...words);
      expect(await program.ended).toEqual({ code: 1, signal: null });
      expect(program.out).toBe('');
      expect(program.err).toMatch(told);
    },
  );
});

describe('the command `watch`', () => {
  it('the CLI command `watch` prints only the requested event types of one workflow until Ctrl-C', async () => {
    writeFileSync(join(directory, 'key'), `${service.token}\n`);
    const [id, other] = [await greeting(), await greeting()];
    const program = commandWith(
      {},
      ...['watch', '--url', service.url, '--key-file', 'key', '--workflow', id],
      ...['--type', 'workflow.queued, node.complete'],
    );
    await expect.poll(() => program.err).toContain(`Watching ${service.url}. Press Ctrl-C to stop.\n`);
    const input = { input: { name: 'Ada' } };
    await service.call('POST', `/v1/workflows/${other}/execute?wait=10`, input);
    const execution = await service.call<{ id: string }>('POST', `/v1/workflows/${id}/execute`, input);
    await program.prints(/node\.complete .+\n/);
    program.signal('SIGINT');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^\\S+Z {2}${execution.id} {4}#1 {2}workflow\\.queued$`)),
      expect.stringMatching(
        new RegExp(`^\\S+Z {2}${execution.id} {4}#4 {2}workflow\\.node\\.complete +text, `),
      ),
    ]);
  });

  it('the CLI command `watch --json` prints the events after a cursor exactly as the API returns them', async () => {
    const id = await greeting();
    const body = { input: { name: 'Ada' } };
    const execution = await service.call<{ id: string }>('POST', `/v1/workflows/${id}/execute?wait=10`, body);
    const { data } = await service.call<{ data: readonly object[] }>(
      'GET',
      `/v1/executions/${execution.id}/events`,
    );
    const program = command('watch', '--execution', execution.id, '--after', '0', '--json');
    await program.prints(/workflow\.completed.*\n/);
    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const lines = program.out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(data);
  });

  it('the CLI command `watch` exits with 2 if an event type is unknown', async () => {
    const program = command('watch', '--type', 'workflow.lost');
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.err).toContain('"workflow.lost" is not an event type. Types: workflow.');
  });
});

it.each([
  [
    'a typed value without showing it',
    'hush\r',
    0,
    ['HIDDEN'],
    /^Value: \r\nHIDDEN is set to version 1\.\r\n$/,
  ],
  ['nothing on Ctrl-C', 'hush\u0003', 130, [], /^Value: \r\n$/],
])(
  'the CLI command `secrets set` asks for a value in the terminal and stores %s',
  async (_, keys, code, stored, screen) => {
    const own = new ServiceProcess({ SECRETS_KEY: 'dGhlIGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0tLS0tLS0=' });
    try {
      await own.start();
      const settings = { WORKFLOW_API_KEY: own.token, BASE_URL: own.url };
      const words = ['secrets', 'set', 'HIDDEN'];
      const program = new TerminalProgram('dist/src/cli/main.js', directory, settings, words);
      await until('the question', () => program.screen.includes('Value: '));
      program.press(keys);
      expect(await program.ended).toEqual({ code, signal: null });
      expect(program.screen).toMatch(screen);
      const { data } = await own.call<{ data: readonly { name: string }[] }>('GET', '/v1/secrets');
      expect(data.map(({ name }) => name)).toEqual(stored);
    } finally {
      await own.dispose();
    }
  },
);
