import { describe, expect, it } from 'vitest';
import { Suspects } from './suspects.js';

describe('executions that may be what ends their process', () => {
  it('run alone, those taken over least often first, and else in the order of their coming', async () => {
    const suspects = new Suspects();
    const told: string[] = [];
    let running = 0;
    const go = (name: string) => async (): Promise<string> => {
      running += 1;
      told.push(`${name}, ${running} at once`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return name;
    };
    const ends = [
      suspects.run(4, go('often')),
      suspects.run(2, go('first')),
      suspects.run(3, go('again')),
      suspects.run(2, go('second')),
    ];
    expect(await Promise.all(ends)).toEqual(['often', 'first', 'again', 'second']);
    expect(told).toEqual(['first, 1 at once', 'second, 1 at once', 'again, 1 at once', 'often, 1 at once']);
  });

  it('hold up nobody by failing, and whoever comes later gets a turn as well', async () => {
    const suspects = new Suspects();
    const bad = suspects.run(2, () => Promise.reject(new Error('broken')));
    const good = suspects.run(2, () => Promise.resolve('fine'));
    await expect(bad).rejects.toThrow('broken');
    expect(await good).toBe('fine');
    expect(await suspects.run(2, () => Promise.resolve('later'))).toBe('later');
  });
});
