/**
 * `npm run bench`: the service beside the bound, in one run; a JSON line for each row of a workload. `npm run bench --
 * W2 W3` runs some of them only.
 */
import { cpus } from 'node:os';
import { dashboard } from './dashboard.ts';
import { foreach } from './foreach.ts';
import { manyAtOnce, oneAtATime, profile } from './w1.ts';
import { lightNodes } from './w3.ts';
import { backlog, sleepers } from './w4.ts';
import { deliveries } from './w5.ts';
import { stalled } from './w5-stalled.ts';
import { lists } from './w6.ts';

type Row = object;

const WORKLOADS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  W1: async () => [await manyAtOnce()],
  W2: async () => [await oneAtATime()],
  W3: lightNodes,
  W4: async () => [await backlog()],
  sleepers: async () => [await sleepers()],
  W5: deliveries,
  stalled: async () => [await stalled()],
  foreach,
  W6: lists,
  dashboard,
};
const PROFILE = 'profile';

const all = [...Object.keys(WORKLOADS), PROFILE];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no workload ${unknown.join(', ')}. There are ${all.join(', ')}.\n`);
  process.exit(2);
}
const wanted = asked.length === 0 ? all : asked;
write({ machine: { cpus: cpus().length, model: cpus()[0]?.model ?? '', node: process.version } });
for (const [workload, measure] of Object.entries(WORKLOADS)) {
  if (!wanted.includes(workload)) continue;
  for (const row of await measure()) write({ workload, ...row });
}
if (wanted.includes(PROFILE)) await writeProfile();

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function writeProfile(): Promise<void> {
  const { parts, functions } = await profile();
  process.stdout.write('\nWhere the time of the service goes (busy time of its process, in percent):\n');
  for (const { name, percent } of parts)
    process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
  process.stdout.write('\nFunctions:\n');
  for (const { name, percent } of functions)
    process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
}
