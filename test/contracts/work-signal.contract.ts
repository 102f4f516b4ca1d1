import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { WorkListener, WorkSignal } from '../../src/execution-runner/dispatch/work-signal.js';

/** Stands where a process's dispatcher would be. */
export class CountingListener implements WorkListener {
  heard = 0;
  private hasRoom = true;
  private readonly waiting: (() => void)[] = [];

  hungry(): Promise<void> {
    return this.hasRoom ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  hear(): boolean {
    this.heard += 1;
    return this.hasRoom;
  }

  fill(): void {
    this.hasRoom = false;
  }

  empty(): void {
    this.hasRoom = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Signals of three processes, of which two listen. */
export interface WorkSignalHarness {
  readonly teller: WorkSignal;
  readonly processes: readonly [ListeningProcess, ListeningProcess];
}

export interface ListeningProcess {
  readonly signal: WorkSignal;
  readonly listener: CountingListener;
}

/** What every `WorkSignal` between processes promises (`src/execution-runner/dispatch/work-signal.ts`). */
export function workSignalContract(open: () => Promise<WorkSignalHarness>): void {
  it('reaches a process with room, each time', async () => {
    const { teller, processes } = await open();
    for (let time = 0; time < 5; time += 1) {
      const before = heard(processes);
      teller.tell();
      await until(() => heard(processes) > before);
    }
  });

  it('tells some of many in a row, the last included', async () => {
    const { teller, processes } = await open();
    for (let time = 0; time < 1_000; time += 1) teller.tell();
    await until(() => heard(processes) > 0);
    await pause(100);
    expect(heard(processes)).toBeLessThanOrEqual(2 * processes.length);
  });

  it('reaches the one with room where the other has none', async () => {
    const { teller, processes } = await open();
    const [{ listener: full }, { listener: free }] = processes;
    full.fill();
    for (let time = 0; time < 10; time += 1) {
      const before = free.heard;
      teller.tell();
      await until(() => free.heard > before);
    }
  });

  it('is told by a process that leaves', async () => {
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
