import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { sandboxIsolation } from '../../src/node-types/sandbox/sandbox-isolation.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const hasProc = existsSync('/proc/self/status');
const endsWithService = (await sandboxIsolation()).command.includes('--pdeathsig');

/** Two programs that run for several seconds: `SOURCE` in JavaScript, `EXPRESSION` in JSONata. */
const SOURCE = "for (const end = Date.now() + 3000; Date.now() < end;); return 'done'";
const EXPRESSION = '$sum([1..60].($sum([1..3000].($ * 2))))';

const NODES = [
  { id: 'code', type: 'code', with: { source: SOURCE }, timeout_seconds: 60 },
  { id: 'transform', type: 'transform', with: { expression: EXPRESSION }, timeout_seconds: 60 },
];

interface ExecutionView {
  readonly id: string;
  readonly status: string;
  readonly output: unknown;
}

interface NodeView {
  readonly node_id: string;
  readonly status: string;
  readonly attempts: readonly unknown[];
}

let service: ServiceProcess;
afterEach(() => service?.dispose());

/** Process ids of all descendants of a process, including the launchers of sandboxes. */
function descendants(pid: number): readonly number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendants)];
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended, so it needs no signal.
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/**
 * Starts a service in its own process group, with a running execution of the given nodes.
 * @returns the id of the execution
 */
async function running(nodes: readonly unknown[]): Promise<string> {
  service = new ServiceProcess({ SHUTDOWN_GRACE_SECONDS: '10' });
  await service.start('0', { hasOwnGroup: true });
  const workflow = await service.call<{ readonly id: string }>('POST', '/v1/workflows', {
    name: 'busy',
    nodes,
  });
  const { id } = await service.call<ExecutionView>('POST', `/v1/workflows/${workflow.id}/executions`, {});
  await until('a job in every sandbox', async () => {
    const { data } = await service.call<{ readonly data: readonly NodeView[] }>(
      'GET',
      `/v1/executions/${id}/nodes`,
    );
    return data.length === nodes.length && data.every(({ status }) => status === 'running');
  });
  return id;
}

/** Restarts the service and waits for the execution to end. */
async function endOf(id: string): Promise<{
  readonly status: string;
  readonly events: readonly string[];
  readonly attempts: readonly number[];
}> {
  await service.start();
  const { status } = await until('the end of the execution', async () => {
    const execution = await service.call<ExecutionView>('GET', `/v1/executions/${id}`);
    return ['completed', 'failed'].includes(execution.status) && execution;
  });
  const events = await service.call<{ readonly data: readonly { readonly type: string }[] }>(
    'GET',
    `/v1/executions/${id}/events`,
  );
  const { data } = await service.call<{ readonly data: readonly NodeView[] }>(
    'GET',
    `/v1/executions/${id}/nodes`,
  );
  return {
    status,
    events: events.data.map(({ type }) => type),
    attempts: data.map(({ attempts }) => attempts.length),
  };
}

describe("signals to the service's processes", () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'running `code` and `transform` nodes finish after the signal %s to the process group of the service',
    async (signal) => {
      const id = await running(NODES);
      process.kill(-service.pid, signal);
      expect(await service.ended()).toBe(0);
      expect(await endOf(id)).toMatchObject({ status: 'completed', attempts: [1, 1] });
    },
  );

  it.runIf(hasProc)(
    'running `code` and `transform` nodes finish after SIGTERM to each process of the service',
    async () => {
      const id = await running(NODES);
      for (const pid of [...descendants(service.pid), service.pid]) signalIfThere(pid, 'SIGTERM');
      expect(await service.ended()).toBe(0);
      expect(await endOf(id)).toMatchObject({ status: 'completed', attempts: [1, 1] });
    },
  );

  it.runIf(hasProc)(
    'an execution whose sandbox is killed during shutdown does not fail, and completes after the restart',
    async () => {
      const id = await running(NODES.slice(0, 1));
      process.kill(service.pid, 'SIGTERM');
      const killing = setInterval(() => {
        for (const pid of descendants(service.pid)) signalIfThere(pid, 'SIGKILL');
      }, 10);
      expect(await service.ended()).toBe(0);
      clearInterval(killing);
      const { status, events, attempts } = await endOf(id);
      expect({ status, attempts }).toEqual({ status: 'completed', attempts: [1] });
      expect(events).not.toContain('workflow.node.failed');
    },
  );

  it.runIf(endsWithService)(
    'a sandbox that runs an endless program ends when the service is killed',
    async () => {
      await running([{ id: 'code', type: 'code', with: { source: 'for (;;);' }, timeout_seconds: 600 }]);
      const processes = descendants(service.pid);
      expect(processes.length).toBeGreaterThan(0);
      await service.kill();
      await until('the end of the sandbox', () => !processes.some(isAlive));
    },
  );
});
