/** Limits the CPU time of processes by control groups of Linux, version 1 or 2. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Length of a period in microseconds. The kernel accepts limits of at least 1,000 microseconds per period. */
const PERIOD = 20_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

export interface CpuLimit {
  /** Removes the limit. The limited process must have exited. */
  remove(): Promise<void>;
}

/**
 * Limits the CPU time of a process and its threads.
 * @param share CPU seconds per second
 * @throws if control groups are not writable
 */
export function limitCpu(pid: number, share: number): CpuLimit {
  const group = join(existsSync(V1) ? V1 : V2, `workflow-bench-${pid}`);
  mkdirSync(group);
  const quota = Math.round(PERIOD * share);
  if (existsSync(V1)) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), `${PERIOD}`);
    writeFileSync(join(group, 'cpu.cfs_quota_us'), `${quota}`);
  } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD}`);
  writeFileSync(join(group, 'cgroup.procs'), `${pid}`);
  return { remove: () => removeGroup(group) };
}

/** Retries for a second, because the kernel refuses to remove a group right after its last process has exited. */
async function removeGroup(group: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      rmdirSync(group);
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await pause(20);
    }
}
