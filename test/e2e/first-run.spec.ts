import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFirstKey } from '../support/first-key.js';
import { SpawnedProgram } from '../support/spawned-program.js';

const SERVICE = 'dist/src/main.js';
const API = /^ {2}API +(http:\/\/127\.0\.0\.1:(\d+))\/v1 /m;
/** Matches the end of the startup summary. */
const WHOLE = /\n {2}Data .*\n\n|\/setup#t=.*\n\n/;

let directory: string;
const servers: Server[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'workflow-first-run-'));
});

afterEach(async () => {
  SpawnedProgram.killAll();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await rm(directory, { recursive: true, force: true });
});

function service(settings: Readonly<Record<string, string>> = {}): SpawnedProgram {
  return new SpawnedProgram(SERVICE, directory, { PORT: '0', ...settings });
}

/** Starts a service with settings that prevent the start. @returns the exit code and output of the service */
async function refusal(settings: Readonly<Record<string, string>>) {
  const program = service(settings);
  const end = await program.ended;
  return { ...end, out: program.out, err: program.err };
}

async function listening(answer: Parameters<typeof createServer>[1] = () => undefined): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Creates a first admin in the data directory of the service, and returns an API key of this admin. */
function firstKey(): string {
  return createFirstKey(join(directory, '.data'), { DEFAULT_PLAN: 'enterprise' });
}

describe('a start that fails', () => {
  it('a service with invalid settings prints one line for each invalid setting and exits with code 2', async () => {
    const { code, out, err } = await refusal({ PORT: 'many', ROLE: 'king', HTTP_BODY_LIMIT: '-1' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'ROLE',
      'HTTP_BODY_LIMIT',
      '',
    ]);
  });

  it('a service that cannot write to DATA_DIR exits with code 1 and names the database file', async () => {
    await writeFile(join(directory, 'file'), '');
    expect(await refusal({ DATA_DIR: './file/data' })).toEqual({
      code: 1,
      signal: null,
      out: '',
      err: expect.stringMatching(
        /^\.\/file\/data\/workflow\.sqlite cannot be written \(.+\)\. Set DATA_DIR to .+\.\n$/,
      ),
    });
  });

  it.runIf(process.platform === 'linux')(
    'a service whose DATA_DIR is below /proc names the database file that it cannot create',
    async () => {
      expect((await refusal({ DATA_DIR: '/proc/workflow' })).err).toMatch(
        /^\/proc\/workflow\/workflow\.sqlite cannot be written .+\n$/,
      );
    },
  );

  it('a service that cannot reach PostgreSQL prints the database URL without the password', async () => {
    const { code, err } = await refusal({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/flows' });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The PostgreSQL database at postgres:\/\/me:\*\*\*@127\.0\.0\.1:1\/flows cannot be used: .+\.\n$/,
    );
  });

  it('a second service on the SQLite file of a running service exits and prints the process id of the first service', async () => {
    const first = service();
    await first.prints(WHOLE);
    const { code, out, err } = await refusal({});
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      new RegExp(
        `Waiting up to 30 seconds.+\\nAnother Workflow Service \\(process ${first.pid}\\) is using this SQLite database\\..+\\n$`,
      ),
    );
    expect((await fetch(`${(await first.prints(API))[1]}/v1/workflows`)).status).toBe(401);
  });

  it('if another program uses PORT, a service in production exits and names the port', async () => {
    const port = await listening();
    expect(await refusal({ NODE_ENV: 'production', PORT: String(port) })).toEqual({
      code: 1,
      signal: null,
      out: '',
      err: `Port ${port} of 127.0.0.1 is used by another program. Stop it, or set PORT to another port.\n`,
    });
  });
});

describe('the startup summary', () => {
  it('the first start prints the URLs of the service and a setup link for the admin account, and nothing else', async () => {
    const program = service();
    await program.prints(WHOLE);
    const url = (await program.prints(API))[1] ?? '';
    const [title, ...lines] = program.out.split('\n');
    expect(title).toMatch(/^ {2}Workflow Service \d+\.\d+\.\d+ {20,}ready in \d+\.\d s$/);
    expect(lines).toEqual([
      '',
      `  Dashboard    ${url}/dashboard`,
      `  API          ${`${url}/v1`.padEnd(32)}docs /swagger, /openapi.json`,
      `  Events       ${url.replace('http', 'ws')}/ws`,
      '  Data         ./.data/workflow.sqlite         (set DATABASE_URL for PostgreSQL)',
      '',
      '  First run. Create the admin account within 30 minutes:',
      expect.stringMatching(/^ {2}http:\/\/127\.0\.0\.1:\d+\/dashboard\/setup#t=[0-9A-Za-z]{32,}$/),
      '',
      '',
    ]);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    expect(program.err).toBe('');
  });

  it('the service stores only a hash of the setup link token, and the link expires after 30 minutes', async () => {
    const program = service();
    const token = (await program.prints(/#t=([0-9A-Za-z]+)\n/))[1] ?? '';
    const database = new Database(join(directory, '.data/workflow.sqlite'), { readonly: true });
    const rows = database.prepare('SELECT hash, created_at, expires_at, used_at FROM set_up_links').all() as {
      hash: string;
      created_at: string;
      expires_at: string;
      used_at: string | null;
    }[];
    database.close();
    expect(rows.map(({ hash: kept, used_at }) => ({ kept, used_at }))).toEqual([
      { kept: hash('sha256', token), used_at: null },
    ]);
    expect(Date.parse(rows[0]?.expires_at ?? '') - Date.parse(rows[0]?.created_at ?? '')).toBe(30 * 60_000);
  });

  it('the startup summary has no setup link if a user exists', async () => {
    firstKey();
    const program = service();
    await program.prints(WHOLE);
    expect(program.out).not.toMatch(/First run|setup/);
  });

  it('a service in development uses a higher port if PORT is in use, and prints both ports', async () => {
    const port = await listening();
    const program = service({ PORT: String(port) });
    const [, url = '', got] = await program.prints(API);
    await program.prints(new RegExp(`\\n\\n {2}Port ${port} is in use; the service uses port ${got}\\.\\n`));
    expect(Number(got)).toBeGreaterThan(port);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  });
});

describe('a shutdown', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'after the signal %s, the service writes one JSON log line and exits with code 0',
    async (signal) => {
      const program = service();
      const summary = (await program.prints(WHOLE)).input;
      program.signal(signal);
      expect(await program.ended).toEqual({ code: 0, signal: null });
      const lines = program.out.slice(summary.length).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['info']);
    },
  );

  interface Busy {
    readonly program: SpawnedProgram;
    readonly read: (
      url: string,
    ) => Promise<{ readonly status: string; readonly output: { readonly body: unknown } }>;
    /** Responds to the HTTP request of the node. */
    readonly answer: () => void;
    readonly calls: () => number;
    readonly settings: Readonly<Record<string, string>>;
  }

  /** Starts a service and an execution whose `http` node gets no response until the test calls `answer`. */
  async function busy(): Promise<Busy> {
    const pending: ServerResponse[] = [];
    let called: () => void;
    const call = new Promise<void>((resolve) => (called = resolve));
    const port = await listening((_, response) => {
      pending.push(response);
      called();
    });
    const key = firstKey();
    const settings = { EGRESS_ALLOW: `127.0.0.1:${port}`, SHUTDOWN_GRACE_SECONDS: '20' };
    const program = service(settings);
    const base = (await program.prints(API))[1] ?? '';
    const request = async <T>(url: string, body?: unknown): Promise<T> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(url, init)).json() as Promise<T>;
    };
    const nodes = [{ id: 'call', type: 'http', with: { url: `http://127.0.0.1:${port}/` } }];
    const workflow = await request<{ id: string }>(`${base}/v1/workflows`, { name: 'held', nodes });
    const execution = await request<{ id: string }>(`${base}/v1/workflows/${workflow.id}/execute`, {});
    await call;
    return {
      program,
      settings,
      read: (url) => request(`${url}/v1/executions/${execution.id}`),
      answer: () => pending[0]?.writeHead(200, { 'Content-Type': 'application/json' }).end('"done"'),
      calls: () => pending.length,
    };
  }

  it('a node that runs at SIGTERM finishes, and the next start completes the execution without repeating the node', async () => {
    const { program, settings, read, answer, calls } = await busy();
    program.signal('SIGTERM');
    await program.prints(/SIGTERM/);
    answer();
    expect(await program.ended).toEqual({ code: 0, signal: null });
    const again = service(settings);
    const url = (await again.prints(API))[1] ?? '';
    await expect.poll(() => read(url)).toMatchObject({ status: 'completed', output: { body: 'done' } });
    expect(calls()).toBe(1);
  });

  it('a second SIGTERM ends the service immediately with exit code 143', async () => {
    const { program } = await busy();
    program.signal('SIGTERM');
    await program.prints(/SIGTERM/);
    // The service ignores a second signal within 500 ms, because a terminal and npm may both send the same Ctrl-C.
    await pause(600);
    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: 143, signal: null });
  });

  it('an unhandled rejection ends the service with exit code 1 and a log line with the error', async () => {
    const reject = "process.on('SIGUSR2', () => void Promise.reject(new Error('lost')))";
    const program = service({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reject)}` });
    await program.prints(WHOLE);
    program.signal('SIGUSR2');
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const last = JSON.parse(program.out.trim().split('\n').at(-1) ?? '') as {
      level: string;
      err: { message: string };
    };
    expect(last).toMatchObject({ level: 'fatal', err: { message: 'lost' } });
  });
});

describe('the demonstration', () => {
  it('the demo with `--kill` kills its server during executions and reports that nothing was lost', async () => {
    const demo = new SpawnedProgram(
      'dist/tools/demo/main.js',
      directory,
      { TMPDIR: directory, TERM: 'dumb' },
      ['--kill'],
    );
    const end = await demo.ended;
    expect(demo.err).toBe('');
    expect(demo.out).toMatch(/workflow\.node\.retrying +order: .*503/);
    expect(demo.out).toMatch(
      /\(process \d+\) is killed with SIGKILL at event \d+\.\n[\s\S]*is running again after/,
    );
    expect(demo.out).toMatch(/resumes from its journal at event \d+; running again: price/);
    expect(demo.out).toContain('Verdict: nothing was lost and nothing happened twice.\n');
    expect(demo.out.match(/^ {2}ok .*$/gm)).toHaveLength(4);
    expect(demo.out).toMatch(/^[\n\x20-\x7e]*$/);
    expect(end).toEqual({ code: 0, signal: null });
    expect(await readdir(directory)).toEqual([]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'after the signal %s, the demo stops its server and deletes its files',
    async (signal, code) => {
      const demo = new SpawnedProgram('dist/tools/demo/main.js', directory, { TMPDIR: directory });
      const url = (await demo.prints(/ runs at (http\S+)\.\n/))[1] ?? '';
      demo.signal(signal);
      expect(await demo.ended).toEqual({ code, signal: null });
      expect(await readdir(directory)).toEqual([]);
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  it('the demo prints its usage and exits with code 2 if an option is unknown', async () => {
    const demo = new SpawnedProgram('dist/tools/demo/main.js', directory, {}, ['--stop']);
    expect(await demo.ended).toEqual({ code: 2, signal: null });
    expect(demo.err).toContain('Usage: npm run demo');
  });
});
