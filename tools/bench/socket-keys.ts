/** Creates several API keys, because one key may open only a hundred sockets. */
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

/** Returns the first message that a client sends on a socket. */
export function helloOf(keys: readonly string[], index: number): string {
  return JSON.stringify({ type: 'auth', token: keys[Math.floor(index / SOCKETS_A_KEY)] });
}
