import { readFileSync } from 'node:fs';

/** What a process takes. */
export interface ProcessUsage {
  readonly residentBytes: number;
  /** Of all its threads, since it began. */
  readonly cpuMs: number;
}

/** Ticks of a second in `/proc`: 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** Null where the process is gone, and on systems that have no `/proc`. */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // What follows the name in brackets, which may hold anything; user and system time are fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { residentBytes: Number(resident ?? 0) * 1024, cpuMs: (ticks * 1_000) / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
