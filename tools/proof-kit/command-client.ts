import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ClientUnderProof } from './proof.ts';
import type { ReceivedEvent } from './verdict.ts';

/**
 * Runs a client in any language as a command, with the environment variables `PROOF_URL` and `PROOF_KEY`. The client
 * must print each received event as one line of JSON.
 */
export function commandClient(command: string): ClientUnderProof {
  return async function* follow(url, key, signal) {
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, PROOF_URL: url, PROOF_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    signal.addEventListener('abort', () => child.kill(), { once: true });
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith('{')) yield JSON.parse(line) as ReceivedEvent;
  };
}
