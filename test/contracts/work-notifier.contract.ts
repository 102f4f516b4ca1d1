import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { WorkNotifier } from '../../src/execution-runner/dispatch/work-notifier.ts';

/** Stands in for a process's dispatcher. */
export class CountingListener {
  heard = 0;
}

/** Work notifiers of three processes, of which two listen. */
export interface WorkNotifierHarness {
  readonly teller: WorkNotifier;
  readonly processes: readonly [ListeningProcess, ListeningProcess];
}

export interface ListeningProcess {
  readonly signal: WorkNotifier;
  readonly listener: CountingListener;
}

/** Contract of every `WorkNotifier` between processes (`src/execution-runner/dispatch/work-notifier.ts`). */
export function workNotifierContract(open: () => Promise<WorkNotifierHarness>): void {
  it('delivers each of several notifications to a process', async () => {
    const { teller, processes } = await open();
    for (let time = 0; time < 5; time += 1) {
      const before = heard(processes);
      teller.tell();
      await until(() => heard(processes) > before);
    }
  });

  it('coalesces many notifications in a row and delivers the last one', async () => {
    const { teller, processes } = await open();
    for (let time = 0; time < 1_000; time += 1) teller.tell();
    await until(() => heard(processes) > 0);
    await pause(100);
    expect(heard(processes)).toBeLessThanOrEqual(2 * processes.length);
  });

  it('notifies another process when a process closes, and delivers nothing to the closed one', async () => {
    const { processes } = await open();
    const [leaving, { listener: staying }] = processes;
    const before = staying.heard;
    await leaving.signal.close();
    await until(() => staying.heard > before);
    const last = leaving.listener.heard;
    processes[1].signal.tell();
    await pause(50);
    expect(leaving.listener.heard).toBe(last);
  });
}

export function heard(processes: readonly ListeningProcess[]): number {
  return processes.reduce((sum, { listener }) => sum + listener.heard, 0);
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await condition()) return;
    await pause(10);
  }
  throw new Error(`It did not come to: ${condition.toString()}`);
}
