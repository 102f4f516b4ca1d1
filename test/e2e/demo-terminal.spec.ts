import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TerminalProgram } from '../support/terminal-program.js';
import { until } from '../support/until.js';

/**
 * Number of presses of the key `k`, which kills the server. After each press, the test waits `BETWEEN_MS`, so that the
 * execution can make progress.
 */
const PRESSES = 25;
const BETWEEN_MS = 200;
const VERDICT = 'Verdict: nothing was lost and nothing happened twice.';

describe('the demo in a terminal', () => {
  let directory: string;
  let demo: TerminalProgram;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'demo-terminal-'));
  });

  afterEach(async () => {
    demo.close();
    await rm(directory, { recursive: true, force: true });
  });

  function open(environment: Readonly<Record<string, string>>): TerminalProgram {
    demo = new TerminalProgram('dist/tools/demo/main.js', directory, { TMPDIR: directory, ...environment });
    return demo;
  }

  function shows(text: string): Promise<unknown> {
    return until(`"${text}" on the screen`, () => Promise.resolve(demo.screen.includes(text)), {
      limitMs: 90_000,
      everyMs: 50,
    });
  }

  it('the demo completes although the key `k` kills its server repeatedly, and exits on the key `q`', async () => {
    const { ended } = open({ TERM: 'xterm-256color' });
    await shows('Starting the service');
    for (let presses = 0; presses < PRESSES; presses += 1) {
      demo.press('k');
      await pause(BETWEEN_MS);
    }
    await shows(VERDICT);
    expect(demo.screen).toMatch(
      /The server was killed (once|\d+ times); the execution was recovered at .* completed\./,
    );
    demo.press('kq');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await readdir(directory)).toEqual([]);
  });

  it('in a terminal with TERM=dumb, the demo prints its result and then exits', async () => {
    const { ended } = open({ TERM: 'dumb' });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(demo.screen).toContain(VERDICT);
  });

  it('the demo stops its server and removes its data when its terminal is closed', async () => {
    open({ TERM: 'xterm-256color' });
    await shows(' runs at http');
    const [, url = ''] = / runs at (http:\/\/127\.0\.0\.1:\d+)/.exec(demo.screen) ?? [];
    demo.close();
    await until(
      'the end of the server',
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      {
        limitMs: 30_000,
        everyMs: 100,
      },
    );
    await until('the removal of the data', async () => (await readdir(directory)).length === 0, {
      limitMs: 30_000,
      everyMs: 100,
    });
  });
});
