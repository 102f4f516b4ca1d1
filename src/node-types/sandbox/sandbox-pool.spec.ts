import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { codePool } from '../code/code.node.js';
import { transformPool } from '../transform/transform.node.js';
import { processUsage } from './process-usage.js';
import type { SandboxAnswer } from './sandbox-answer.js';
import type { SandboxPool, SandboxPoolSettings } from './sandbox-pool.js';

const HAS_PROC = existsSync('/proc/self/status');
const MEBIBYTE = 1024 * 1024;

/** A program that runs for 300 ms, which is longer than the delivery of a signal takes. */
const BUSY = 'for (const end = Date.now() + 300; Date.now() < end;);';

const pools: SandboxPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.onApplicationShutdown()));
});

function code(own: Partial<SandboxPoolSettings> = {}): SandboxPool {
  const pool = codePool({ size: 2, ...own });
  pools.push(pool);
  return pool;
}

const run = (
  pool: SandboxPool,
  program: string,
  { owner = 'project', limitMs = 20_000, signal = new AbortController().signal, input = 'null' } = {},
): Promise<SandboxAnswer> => pool.run(owner, { program, input, limitMs }, signal);

const outputOf = async (answer: Promise<SandboxAnswer>): Promise<unknown> => {
  const given = await answer;
  if (given.kind === 'output') return given.output;
  return given.kind === 'failure' ? given.reason : given.kind;
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a process runs a job, which is assumed after one second of CPU time. An idle process uses far less CPU time.
 */
function isBusy(pid: number): boolean {
  return (processUsage(pid)?.cpuMs ?? 0) > 1_000;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

describe('SandboxPool', () => {
  it('the sandbox pool starts no process before the first job', async () => {
    const pool = code();
    expect(pool.pids).toEqual([]);
    expect(await outputOf(run(pool, 'return 1'))).toBe(1);
    expect(pool.pids).toHaveLength(1);
  });

  it('after a failed detection of the isolation, the waiting jobs fail and the next job detects it again', async () => {
    let detections = 0;
    const pool = code({
      isolation: () => {
        detections += 1;
        if (detections === 1) return Promise.reject(new Error('spawn EAGAIN'));
        return Promise.resolve({ command: [], isNamespaced: false, missing: [] });
      },
    });
    const first = [run(pool, 'return 1'), run(pool, 'return 2')];
    expect(await Promise.all(first.map(outputOf))).toEqual(['process_died', 'process_died']);
    expect(await outputOf(run(pool, 'return 3'))).toBe(3);
  });

  it('a sandbox pool of two processes runs fifty jobs', async () => {
    const pool = code();
    const jobs = Array.from({ length: 50 }, (_, n) =>
      outputOf(run(pool, 'return input * 2', { input: String(n) })),
    );
    const seen = new Set<number>();
    const watching = setInterval(() => pool.pids.forEach((pid) => seen.add(pid)), 1);
    expect(await Promise.all(jobs)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
    clearInterval(watching);
    expect(seen.size).toBe(2);
    expect(pool.pids).toHaveLength(2);
  });

  it('sandbox jobs of one owner do not delay jobs of another owner', async () => {
    const pool = code({ size: 1 });
    const order: string[] = [];
    const start = (owner: string) => run(pool, 'return 1', { owner }).then(() => order.push(owner));
    await Promise.all([...Array.from({ length: 6 }, () => start('many')), start('one')]);
    expect(order.indexOf('one')).toBeLessThan(3);
  });

  it('a sandboxed job runs again if its process dies', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [victim] = pool.pids as readonly [number];
    const running = outputOf(run(pool, `${BUSY} return 4`));
    const waiting = outputOf(run(pool, 'return 5'));
    process.kill(victim, 'SIGKILL');
    expect(await Promise.all([running, waiting])).toEqual([4, 5]);
    expect(pool.pids).not.toContain(victim);
  });

  it('a sandboxed job fails if its process dies twice', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [first] = pool.pids as readonly [number];
    const running = outputOf(run(pool, 'for (;;);'));
    process.kill(first, 'SIGKILL');
    await until(() => pool.pids.some((pid) => pid !== first && isBusy(pid)));
    process.kill(pool.pids[0] ?? 0, 'SIGKILL');
    expect(await running).toBe('process_died');
  });

  it('a sandboxed job ends as interrupted if its process and the replacement process die during shutdown', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [first] = pool.pids as readonly [number];
    const running = outputOf(run(pool, 'for (;;);'));
    pool.onModuleDestroy();
    process.kill(first, 'SIGKILL');
    await until(() => pool.pids.some((pid) => pid !== first && isBusy(pid)));
    process.kill(pool.pids[0] ?? 0, 'SIGKILL');
    expect(await running).toBe('interrupted');
  });

  it('a sandboxed job continues if its process receives SIGTERM, SIGINT or SIGHUP', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [pid] = pool.pids as readonly [number];
    const running = outputOf(run(pool, `${BUSY} return 6`));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
    expect(await running).toBe(6);
    expect(pool.pids).toEqual([pid]);
  });

  it('aborting the AbortSignal of a running or queued sandbox job stops the job', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [pid] = pool.pids as readonly [number];
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run(pool, 'for (;;);', { signal: first.signal, limitMs: 600_000 });
    const waiting = run(pool, 'for (;;);', { signal: second.signal });
    const last = outputOf(run(pool, 'return 7'));
    second.abort(new Error('not wanted'));
    await expect(waiting).rejects.toThrow('not wanted');
    first.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await last).toBe(7);
    expect(isAlive(pid)).toBe(false);
    await expect(run(pool, 'return 1', { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
  });

  it('the sandbox pool kills a process that exceeds the timeout', async () => {
    // The process is stopped with SIGSTOP, so that the process cannot enforce the timeout itself.
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [pid] = pool.pids as readonly [number];
    process.kill(pid, 'SIGSTOP');
    expect(await run(pool, 'return 1', { limitMs: 100 })).toMatchObject({
      kind: 'failure',
      reason: 'timeout',
    });
    expect(await outputOf(run(pool, 'return 2'))).toBe(2);
    expect(isAlive(pid)).toBe(false);
  });

  it.runIf(HAS_PROC)('the sandbox pool kills a process that exceeds its memory limit', async () => {
    const pool = code({ residentBytes: 16 * MEBIBYTE });
    expect(await outputOf(run(pool, 'for (;;);'))).toBe('memory_exceeded');
  });

  it('the sandbox pool replaces a process after a timeout', async () => {
    const pool = code({ size: 1, jobsPerProcess: 3 });
    const seen: number[] = [];
    for (let job = 0; job < 4; job += 1) {
      await run(pool, 'return 1');
      seen.push(pool.pids[0] ?? 0);
    }
    expect(new Set(seen.slice(0, 2)).size).toBe(1);
    expect(seen[3]).not.toBe(seen[0]);
    await run(pool, 'for (;;);', { limitMs: 50 });
    await run(pool, 'return 1');
    expect(pool.pids).not.toContain(seen[3]);
    expect(seen.slice(0, 2).some(isAlive)).toBe(false);
  });

  it('the sandbox pool ends an idle process', async () => {
    const pool = code({ idleMs: 20 });
    await run(pool, 'return 1');
    await until(() => pool.pids.length === 0);
    expect(await outputOf(run(pool, 'return 2'))).toBe(2);
  });

  it('closing the sandbox pool ends every process and interrupts all jobs', async () => {
    const pool = code();
    await Promise.all([run(pool, 'return 1'), run(pool, 'return 1')]);
    const pids = pool.pids;
    const jobs = Array.from({ length: 4 }, () => outputOf(run(pool, 'for (;;);')));
    await pool.onApplicationShutdown();
    expect(await Promise.all(jobs)).toEqual(jobs.map(() => 'interrupted'));
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await outputOf(run(pool, 'return 1'))).toBe('interrupted');
    expect(pool.pids).toEqual([]);
  });

  it('sandbox jobs fail with `process_died` if the pool cannot start a process', async () => {
    const pool = code({ program: new URL('file:///no/such/program.js') });
    const answers = await Promise.all([run(pool, 'return 1'), run(pool, 'return 1'), run(pool, 'return 1')]);
    for (const answer of answers) expect(answer).toMatchObject({ kind: 'failure', reason: 'process_died' });
  });

  it.runIf(HAS_PROC).each([
    ['code', codePool, 'return "x".repeat(100000).length'],
    ['transform', transformPool, '$length($pad("x", 100000))'],
  ] as const)('the memory of a %s process stays constant over many jobs', async (_name, poolOf, program) => {
    const pool = poolOf({ size: 1, jobsPerProcess: 1_000 });
    pools.push(pool);
    const resident = async (jobs: number): Promise<number> => {
      for (let job = 0; job < jobs; job += 1) await run(pool, program);
      return processUsage(pool.pids[0] ?? 0)?.residentBytes ?? Number.NaN;
    };
    const early = await resident(100);
    expect((await resident(500)) - early).toBeLessThan(40 * MEBIBYTE);
    expect(pool.pids).toHaveLength(1);
  });

  it.runIf(HAS_PROC)('a sandbox process has no environment variables and no open files', async () => {
    const pool = code({ size: 1 });
    await run(pool, 'return 1');
    const [pid] = pool.pids as readonly [number];
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('--permission');
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    expect(open.filter((target) => target.startsWith('/') && target !== '/dev/null')).toEqual([]);
    // The only sockets of the process are its standard input and its standard output.
    expect(open.filter((target) => target.startsWith('socket:'))).toHaveLength(2);
  });
});
