import { readFileSync } from 'node:fs';

/**
 * Returns the id of the only child process of a process. Returns undefined if the process has no child or has exited.
 */
export function childOf(pid: number): number | undefined {
  try {
    const child = parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10);
    return Number.isNaN(child) ? undefined : child;
  } catch {
    return undefined;
  }
}

export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
