import { readFileSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { codePool } from '../code/code.node.js';
import type { SandboxPool, SandboxPoolSettings } from './sandbox-pool.js';
import { detectIsolation, sandboxIsolation } from './sandbox-isolation.js';

const { command, isNamespaced } = await sandboxIsolation();
const has = (option: string): boolean => command.some((word) => word.startsWith(option));

let pool: SandboxPool | undefined;
afterEach(() => pool?.onApplicationShutdown());

async function sandboxPid(own: Partial<SandboxPoolSettings> = {}): Promise<number> {
  pool = codePool({ size: 1, ...own });
  const job = { program: 'return 1', input: 'null', limitMs: 20_000 };
  expect(await pool.run('project', job, new AbortController().signal)).toMatchObject({ output: 1 });
  return pool.pids[0] ?? 0;
}

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1');
const namespace = (pid: number | 'self', kind: string): string => readlinkSync(`/proc/${pid}/ns/${kind}`);

describe('OS-level isolation of a sandboxed process', () => {
  it.runIf(isNamespaced)('a sandboxed process has its own network, PID and IPC namespaces', async () => {
    const pid = await sandboxPid();
    for (const kind of ['net', 'pid', 'ipc']) expect(namespace(pid, kind)).not.toBe(namespace('self', kind));
    expect(read(pid, 'status')).toMatch(/^NSpid:\t\d+\t1$/m);
    // Only the loopback interface exists. An empty routing table shows that the interface is down.
    expect(read(pid, 'net/dev').match(/^ *\w+:/gm)).toEqual(['    lo:']);
    expect(read(pid, 'net/fib_trie')).toBe('');
  });

  it.runIf(has('--no-new-privs'))('a sandboxed process cannot gain privileges', async () => {
    const status = read(await sandboxPid(), 'status');
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    if (has('--bounding-set'))
      for (const set of ['Eff', 'Prm', 'Bnd', 'Inh'])
        expect(status).toMatch(new RegExp(`^Cap${set}:\t0+$`, 'm'));
  });

  it.runIf(has('--nofile'))('a sandboxed process has limits for its open files and memory', async () => {
    const limits = read(await sandboxPid(), 'limits');
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(limits).toMatch(/^Max file size +0 +0 /m);
    expect(limits).toMatch(/^Max open files +64 +64 /m);
    expect(limits).toMatch(/^Max data size +1610612736 +1610612736 /m);
  });

  it('`detectIsolation` reports missing protections if the system tools are missing', async () => {
    const isolation = await detectIsolation(['/no/such/directory']);
    expect(isolation).toMatchObject({ command: [], isNamespaced: false });
    expect(isolation.missing).toHaveLength(4);
    await sandboxPid({ isolation: () => Promise.resolve(isolation) });
  });
});
