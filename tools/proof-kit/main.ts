/**
 * Tests that a client misses no event of a running server, even if connections break and the server restarts:
 *
 * npm run --silent proof -- --url http://127.0.0.1:3000 --key wfk_... [--client 'command'] [--restart 'command']
 *                             [--events 10000] [--cuts 100] [--seed 1]
 *
 * Without `--client`, the kit tests the TypeScript client of this repository. The command in `--restart` runs once,
 * after half of the events.
 */
import { execSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { eventStream } from '../../clients/typescript/src/event-stream.ts';
import { commandClient } from './command-client.ts';
import { prove } from './proof.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    key: { type: 'string', default: process.env['WORKFLOW_API_KEY'] ?? '' },
    client: { type: 'string' },
    restart: { type: 'string' },
    events: { type: 'string', default: '10000' },
    cuts: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const { restart } = values;
const result = await prove({
  service: { url: () => values.url, key: values.key },
  client:
    values.client === undefined
      ? (url, key, signal) => eventStream({ baseUrl: url, token: key, signal, after: '0' })
      : commandClient(values.client),
  events: Number(values.events),
  cuts: Number(values.cuts),
  seed: Number(values.seed),
  ...(restart === undefined ? {} : { restart: async () => void execSync(restart, { stdio: 'inherit' }) }),
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify({ seed: Number(values.seed), ...result }, null, 2)}\n`);
process.exitCode = result.faults.length === 0 ? 0 : 1;
