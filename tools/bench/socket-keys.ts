/** Creates API keys for socket benchmarks. One key may open only 100 sockets, so many sockets need several keys. */
import { execFileSync } from 'node:child_process';
import type { BenchedService } from './service.ts';

export const SOCKETS_A_KEY = 90;

export function makeKeys(service: BenchedService, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const made = execFileSync(
      process.execPath,
      ['dist/src/cli/main.js', 'keys', 'create', '--name', `bench ${index}`, '--json'],
      { env: { ...process.env, ...service.environment } },
    );
    return (JSON.parse(made.toString()) as { readonly key: string }).key;
  });
}

/** Returns the `auth` message with which the client of the socket at `index` authenticates. */
export function helloOf(keys: readonly string[], index: number): string {
  return JSON.stringify({ type: 'auth', token: keys[Math.floor(index / SOCKETS_A_KEY)] });
}
