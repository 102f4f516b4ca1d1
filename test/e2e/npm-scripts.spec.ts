import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { SETTING_NAMES } from '../../src/settings/index.js';

const directory = mkdtempSync(join(tmpdir(), 'workflow-npm-'));
let npm: ChildProcess | undefined;

afterEach(() => {
  npm?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '`npm start` forwards the signal %s to the service, and the service shuts down gracefully',
  async (signal) => {
    const names: ReadonlySet<string> = new Set(SETTING_NAMES);
    const surroundings = Object.entries(process.env).filter(
      ([name]) => !names.has(name) && !/^npm_/i.test(name),
    );
    const child = spawn('npm', ['start'], {
      env: { ...Object.fromEntries(surroundings), PORT: '0', DATA_DIR: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    npm = child;
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await expect.poll(() => out).toMatch(/API +(http:\S+)\/v1/);
    const [, url = ''] = /API +(http:\S+)\/v1/.exec(out) ?? [];
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    child.kill(signal);
    // The child process emits `close` only after the service has ended, because the service keeps the output pipe open.
    await new Promise((resolve) => child.once('close', resolve));
    expect(out).toContain('Running nodes may finish');
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
  },
);
