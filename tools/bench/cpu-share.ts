/** Limits the CPU time of processes by Linux control groups, version 1 or 2. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Length of a scheduling period in microseconds. The CPU time per period must be at least 1,000 microseconds, or the
 * kernel rejects the limit.
 */
const PERIOD = 20_000;
const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

export interface CpuLimit {
  /** Removes the CPU limit. The process that the limit applied to must have exited. */
  remove(): Promise<void>;
}

/**
 * Limits the CPU time of a process and of all its threads.
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

/**
 * Removes a control group. Retries for a second, because the kernel may still refuse right after the last process in
 * the group has exited.
 */
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
