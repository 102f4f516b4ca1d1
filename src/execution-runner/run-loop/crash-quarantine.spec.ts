import { describe, expect, it } from 'vitest';
import { CrashQuarantine } from './crash-quarantine.js';

const TIMES = { gathering: 1, probation: 60_000 };
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Starts runs in a quarantine. The test decides when each run ends. */
class Runs {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly clears = new Map<string, () => void>();

  constructor(private readonly quarantine: CrashQuarantine) {}

  add(name: string, recoveries: number): Promise<string> {
    return this.quarantine.run(recoveries, (clear) => {
      this.begun.push(name);
      this.clears.set(name, clear);
      return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
    });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await tick();
  }

  async clear(name: string): Promise<void> {
    this.clears.get(name)?.();
    await tick();
  }
}

const quarantined = (lanes: number, maxRecoveries = 5, times = TIMES) => {
  const quarantine = new CrashQuarantine(maxRecoveries, lanes, times);
  return { quarantine, runs: new Runs(quarantine) };
};

describe('CrashQuarantine', () => {
  it('an execution with fewer than two consecutive recoveries runs immediately', () => {
    const { runs } = quarantined(1);
    void runs.add('a', 0);
    void runs.add('b', 1);
    expect(runs.begun).toEqual(['a', 'b']);
  });

  it('quarantined executions start in order of arrival, and with two lanes at most two run at the same time', async () => {
    const { runs } = quarantined(2);
    for (const name of ['a', 'b', 'c', 'd']) void runs.add(name, 2);
    await tick();
    expect(runs.begun).toEqual(['a', 'b']);
    await runs.end('b');
    expect(runs.begun).toEqual(['a', 'b', 'c']);
    await runs.end('a');
    expect(runs.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('an execution with three consecutive recoveries runs alone, after all quarantined executions with fewer recoveries', async () => {
    const { runs } = quarantined(4);
    void runs.add('often', 4);
    void runs.add('again', 3);
    void runs.add('first', 2);
    void runs.add('second', 2);
    await tick();
    expect(runs.begun).toEqual(['first', 'second']);
    await runs.end('first');
    expect(runs.begun).toEqual(['first', 'second']);
    await runs.end('second');
    expect(runs.begun).toEqual(['first', 'second', 'again']);
    void runs.add('late', 2);
    await tick();
    expect(runs.begun).toEqual(['first', 'second', 'again']);
    await runs.end('again');
    expect(runs.begun).toEqual(['first', 'second', 'again', 'late']);
    await runs.end('late');
    expect(runs.begun).toEqual(['first', 'second', 'again', 'late', 'often']);
  });

  it('when a quarantined execution makes progress, the next quarantined execution starts', async () => {
    const { runs } = quarantined(1);
    void runs.add('a', 3);
    void runs.add('b', 3);
    await tick();
    expect(runs.begun).toEqual(['a']);
    await runs.clear('a');
    expect(runs.begun).toEqual(['a', 'b']);
  });

  it('if a quarantined execution does not crash within the probation time, the next quarantined execution starts', async () => {
    const { runs } = quarantined(1, 5, { gathering: 1, probation: 10 });
    void runs.add('a', 2);
    void runs.add('b', 2);
    for (let tries = 0; tries < 200 && runs.begun.length < 2; tries += 1) await tick();
    expect(runs.begun).toEqual(['a', 'b']);
  });

  it('after the crashing execution is found, the others in quarantine run in parallel, except those that must run alone', async () => {
    const { quarantine, runs } = quarantined(1);
    for (const name of ['a', 'b', 'c']) void runs.add(name, 2);
    void runs.add('alone', 4);
    await tick();
    quarantine.release();
    expect(runs.begun).toEqual(['a', 'b', 'c']);
    void runs.add('d', 2);
    await tick();
    expect(runs.begun).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['a', 'b', 'c', 'd']) await runs.end(name);
    expect(runs.begun).toEqual(['a', 'b', 'c', 'd', 'alone']);
  });

  it('with `MAX_RECOVERIES=2`, an execution runs alone after its first recovery', async () => {
    const { quarantine, runs } = quarantined(4, 2);
    expect(quarantine.isExhausted(1)).toBe(false);
    expect(quarantine.isExhausted(2)).toBe(true);
    void runs.add('a', 1);
    void runs.add('b', 1);
    await tick();
    expect(runs.begun).toEqual(['a']);
  });

  it('`CrashQuarantine.drain()` starts all executions that wait in the quarantine', async () => {
    const { quarantine, runs } = quarantined(1);
    for (const name of ['a', 'b']) void runs.add(name, 3);
    quarantine.drain();
    expect(runs.begun).toEqual(['a', 'b']);
    await tick();
  });

  it('`CrashQuarantine` returns the result or error of a run, and starts the next run after an error', async () => {
    const { quarantine } = quarantined(1);
    const bad = quarantine.run(2, () => Promise.reject(new Error('broken')));
    const good = quarantine.run(2, () => Promise.resolve('fine'));
    await expect(bad).rejects.toThrow('broken');
    expect(await good).toBe('fine');
  });
});
