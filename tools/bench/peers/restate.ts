/** Benchmarks Restate, whose server keeps its journal in RocksDB. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/private-servers.mjs';
import { startServer, startWithAddress } from '../server-process.ts';
import type { Contender } from './contender.ts';
import { callsOf, completedOf } from './driven.ts';
import { versionOf } from './installed.ts';

export function restate(): Contender {
  return {
    name: 'Restate',
    version: versionOf('@restatedev/restate-server'),
    durable: 'yes: RocksDB, write-ahead log flushed, as by default',
    ours: false,
    start: async () => {
      const server = await startRestate();
      const port = String(await freePort());
      const application = await startServer(['tools/bench/peers/restate.program.ts'], {
        SERVICE_PORT: port,
        RESTATE_LOGGING: 'ERROR',
      });
      try {
        const registered = await fetch(`${server.admin}/deployments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
        });
        if (!registered.ok)
          throw new Error(`Restate did not register the application: ${await registered.text()}`);
      } catch (error) {
        await application.stop();
        await server.stop();
        throw error;
      }
      return {
        ...callsOf(server.ingress, (name) => (name === 'leave' ? '/bench/three/send' : `/bench/${name}`)),
        completed: () => completedOf(application.url),
        pids: [server.pid, application.pid],
        stop: async () => {
          await application.stop();
          await server.stop();
        },
      };
    },
  };
}

async function startRestate(): Promise<{
  readonly ingress: string;
  readonly admin: string;
  readonly pid: number;
  stop(): Promise<void>;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bench-restate-'));
  const [ingress, admin, fabric] = [await freePort(), await freePort(), await freePort()];
  // The binary of the Restate server is in a platform-specific package, on which `@restatedev/restate-server` depends.
  const { resolve } = createRequire(import.meta.resolve('@restatedev/restate-server/package.json'));
  const program = resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
  );
  const { pid, stop } = await startWithAddress({
    program,
    args: ['--no-logo', '--listen-mode', 'tcp'],
    directory,
    environment: {
      RESTATE_BASE_DIR: directory,
      RESTATE_NODE_NAME: 'bench',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(fabric),
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'error',
    },
    answers: async () =>
      (await fetch(`http://127.0.0.1:${admin}/health`)).ok &&
      (await fetch(`http://127.0.0.1:${ingress}/restate/health`)).ok,
  });
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    pid,
    stop: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
