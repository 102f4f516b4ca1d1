/** Reads the CPU time of Linux processes from `/proc`, with a resolution of 10 ms. */
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Returns the user and system CPU time of a process in milliseconds; 0 if the process has ended. */
export function cpuMs(pid: number): number {
  const { own } = statOf(pid) ?? { own: 0 };
  return own;
}

/** Returns the user and system CPU time of processes and of all their descendants, in milliseconds. */
export function treesCpuMs(pids: readonly number[]): number {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    return stat === null ? [] : [stat];
  });
  const total = (pid: number): number => {
    const stat = all.find((one) => one.pid === pid);
    const children = all.filter((one) => one.parent === pid);
    return (stat?.own ?? 0) + (stat?.ended ?? 0) + children.reduce((sum, child) => sum + total(child.pid), 0);
  };
  return pids.reduce((sum, pid) => sum + total(pid), 0);
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly own: number;
  /** CPU time of the child processes that have ended, in milliseconds. */
  readonly ended: number;
}

function statOf(pid: number): Stat | null {
  try {
    // The process name in `/proc/<pid>/stat` may contain any character, so the fields are split after the parenthesis
    // that ends the name.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ms = (field: number): number => Number(fields[field]) * TICK_MS;
    return { pid, parent: Number(fields[1]), own: ms(11) + ms(12), ended: ms(13) + ms(14) };
  } catch {
    return null;
  }
}
