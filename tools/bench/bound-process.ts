/**
 * Starts the minimal reference servers with which benchmarks compare the service. Each server has its own process and
 * database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from './server-process.ts';

type Work<T> = (server: ServerProcess) => Promise<T>;

/** @param commits number of commits per execution */
export function withBound<T>(commits: 'one' | 'two', work: Work<T>): Promise<T> {
  return withServer('tools/bench/bound.ts', [commits], work);
}

export function withBareSockets<T>(work: Work<T>): Promise<T> {
  return withServer('tools/bench/bare-sockets.ts', [], work);
}

async function withServer<T>(script: string, args: readonly string[], work: Work<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bound-'));
  const server = await startServer([script, join(directory, 'bound.sqlite'), ...args]);
  try {
    return await work(server);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
