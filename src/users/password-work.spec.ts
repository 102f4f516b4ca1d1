import { expect, it } from 'vitest';
import { MAX_WAITING_UNKNOWN, PASSWORDS_AT_ONCE, PasswordWork } from './password-work.js';

class Controlled {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly run = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve) => this.ends.push(() => resolve(name)));
  };

  async endOne(): Promise<void> {
    this.ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('PasswordWork limits concurrent password hashes, and computes waiting hashes for known callers before unknown callers', async () => {
  const [work, controlled] = [new PasswordWork(), new Controlled()];
  const names = ['a', 'b', 'c', 'd'];
  const results = names.map((name) => work.run('unknown', controlled.run(name)));
  results.push(work.run('known', controlled.run('known')));
  expect(controlled.begun).toEqual(names.slice(0, PASSWORDS_AT_ONCE));
  await controlled.endOne();
  expect(controlled.begun).toEqual(['a', 'b', 'known']);
  for (const _ of results) await controlled.endOne();
  expect(await Promise.all(results)).toEqual([...names, 'known']);
  expect(controlled.begun).toEqual(['a', 'b', 'known', 'c', 'd']);
});

it('PasswordWork refuses to hash a password for an unknown caller while too many unknown callers wait', async () => {
  const [work, controlled] = [new PasswordWork(), new Controlled()];
  const total = PASSWORDS_AT_ONCE + MAX_WAITING_UNKNOWN;
  const results = Array.from({ length: total }, (_, at) => work.run('unknown', controlled.run(String(at))));
  await expect(work.run('unknown', controlled.run('late'))).rejects.toMatchObject({ code: 'unavailable' });
  results.push(work.run('known', controlled.run('known')));
  for (const _ of results) await controlled.endOne();
  expect(await Promise.all(results)).toHaveLength(total + 1);
});

it('PasswordWork computes the next password hash after a failure', async () => {
  const work = new PasswordWork();
  const failing = Array.from({ length: PASSWORDS_AT_ONCE + 1 }, () =>
    work.run('unknown', () => Promise.reject(new Error('no memory'))),
  );
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
    failing.map(() => 'rejected'),
  );
  expect(await work.run('unknown', () => Promise.resolve(1))).toBe(1);
});
