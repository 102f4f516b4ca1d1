/** `npm run bench`: the service beside the bound, in one run; one JSON line a workload, then the profile. */
import { cpus } from 'node:os';
import { bound, type Measured, profile, service } from './w1.ts';
import { round } from './load.ts';
import { deliveries } from './w5.ts';
import { stalled } from './w5-stalled.ts';

const ROUNDS = 3;

const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? '', node: process.version };
const bounds: Measured[] = [];
const services: Measured[] = [];
for (let turn = 0; turn < ROUNDS; turn += 1) {
  bounds.push(await bound());
  services.push(await service());
}
const median = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.map(of).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
const figures = (rows: typeof bounds): Record<string, number> => ({
  per_second: median(rows, (row) => row.perSecond),
  p50_ms: median(rows, (row) => row.p50),
  p95_ms: median(rows, (row) => row.p95),
  p99_ms: median(rows, (row) => row.p99),
  cpu_ms_each: median(rows, (row) => row.cpuMsEach),
  idle_mb: median(rows, (row) => row.idleMb),
  started_in_ms: median(rows, (row) => row.startedInMs),
});
const ratio = round(median(services, (row) => row.perSecond) / median(bounds, (row) => row.perSecond));
process.stdout.write(
  `${JSON.stringify({ workload: 'W1', machine, rounds: ROUNDS, service: figures(services), bound: figures(bounds), ratio })}\n`,
);
for (const row of await deliveries()) process.stdout.write(`${JSON.stringify({ workload: 'W5', ...row })}\n`);
process.stdout.write(`${JSON.stringify({ workload: 'W5 stalled', ...(await stalled()) })}\n`);
const { parts, functions } = await profile();
process.stdout.write('\nWhere the time of the service goes (busy time of its process, in percent):\n');
for (const { name, percent } of parts) process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
process.stdout.write('\nFunctions:\n');
for (const { name, percent } of functions)
  process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
