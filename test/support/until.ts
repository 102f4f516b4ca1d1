import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `find` repeatedly until it returns something other than undefined or false. The pauses between the calls grow
 * with the elapsed time, because frequent calls slow down a busy machine.
 * @param options `everyMs` is the shortest pause, in milliseconds
 * @returns that value
 * @throws Error after `limitMs` milliseconds
 */
export async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  { limitMs = 120_000, everyMs = 20 }: { readonly limitMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const begun = performance.now();
  let elapsed = 0;
  do {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await pause(Math.max(everyMs, elapsed / 10));
    elapsed = performance.now() - begun;
  } while (elapsed < limitMs);
  throw new Error(`Timeout while waiting for ${what}.`);
}
