import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  readonly residentBytes: number;
  /** CPU time of all threads of the process since its start, in milliseconds. */
  readonly cpuMs: number;
}

/** Clock ticks per second in `/proc/<pid>/stat`: 100 on every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the memory and CPU time of a process. Returns null if the process has exited, and on systems without `/proc`.
 */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // In `/proc/<pid>/stat`, the second field is the program name in parentheses, which may contain any characters.
    // User and system time are fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { residentBytes: Number(resident ?? 0) * 1024, cpuMs: (ticks * 1_000) / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
