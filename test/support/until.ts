import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `find` repeatedly until it returns something other than undefined or false.
 * @returns that value
 * @throws Error after `limitMs` milliseconds
 */
export async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  { limitMs = 120_000, everyMs = 20 }: { readonly limitMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + limitMs;
  do {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await pause(everyMs);
  } while (performance.now() < deadline);
  throw new Error(`Timeout while waiting for ${what}.`);
}
