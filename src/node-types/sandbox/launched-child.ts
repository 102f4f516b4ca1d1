import { readFileSync } from 'node:fs';

/** The one child of a process; undefined where it has none, or is gone. */
export function childOf(pid: number): number | undefined {
  try {
    const child = parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10);
    return Number.isNaN(child) ? undefined : child;
  } catch {
    return undefined;
  }
}

/** Kills a process that may end by itself in this moment. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
