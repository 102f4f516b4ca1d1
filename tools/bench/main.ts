/**
 * `npm run bench [-- W2 W3]`: measures the service and the reference server in bound.ts, and prints one JSON line per
 * result. Arguments: names of workloads, `peers` (other engines), `table` (updates the README) and `--quick`.
 */
import { builder } from './builder.ts';
import { capacity } from './capacity.ts';
import { cores } from './cores.ts';
import { dashboard } from './dashboard.ts';
import { foreach } from './foreach.ts';
import { comparePeers, PEERS } from './peers/compare.ts';
import { reads } from './reads.ts';
import { resume } from './resume.ts';
import { keep, type Line, lineOf } from './results.ts';
import { comparisonTable, table } from './table.ts';
import { manyAtOnce, oneAtATime, profile } from './w1.ts';
import { lightNodes } from './w3.ts';
import { scale } from './scale.ts';
import { schedules } from './schedules.ts';
import { search } from './search.ts';
import { sleepers } from './sleepers.ts';
import { triggerLists } from './trigger-lists.ts';
import { turns } from './turns.ts';
import { backlog } from './w4.ts';
import { deliveries } from './w5.ts';
import { stalled } from './w5-stalled.ts';
import { lists } from './w6.ts';
import { mixed } from './w7.ts';
import { wakeUps } from './wake-ups.ts';
import { webhooks } from './webhooks.ts';

type Row = object;

/**
 * Workloads that run by default, by name. Other workloads, which take longer, run only if they are named on the command
 * line.
 */
const WORKLOADS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  W1: async () => [await manyAtOnce()],
  W2: async () => [await oneAtATime()],
  W3: lightNodes,
  W4: async () => [await backlog()],
  W5: deliveries,
  stalled: async () => [await stalled()],
  foreach,
  resume,
  W6: lists,
  reads,
  cores,
  dashboard,
  builder,
};
const LONG: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  W7: async () => [await mixed()],
  sleepers,
  capacity,
  scale,
  'wake-ups': wakeUps,
  turns,
  search,
  'trigger-lists': triggerLists,
  schedules: async () => [await schedules()],
  webhooks: async () => [await webhooks()],
};
const PROFILE = 'profile';
const TABLE = 'table';
const PEERS_WORD = 'peers';

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

const [first = '', ...more] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (first === TABLE) await table(process.argv.includes('--check'));
else if (first === PEERS_WORD) await runPeers(more);
else await runOwn(first === '' ? [] : [first, ...more]);

async function runOwn(asked: readonly string[]): Promise<void> {
  const all = { ...WORKLOADS, ...LONG };
  refuseUnknown(asked, [...Object.keys(all), PROFILE], 'workload');
  const wanted = asked.length === 0 ? [...Object.keys(WORKLOADS), PROFILE] : asked;
  for (const [workload, measure] of Object.entries(all)) {
    if (!wanted.includes(workload)) continue;
    const lines = (await measure()).map((row) => lineOf(workload, workload, row));
    lines.forEach(write);
    keep(lines);
  }
  if (wanted.includes(PROFILE)) await writeProfile();
}

async function runPeers(asked: readonly string[]): Promise<void> {
  refuseUnknown(asked, Object.keys(PEERS), 'peer');
  const lines: Line[] = [];
  await comparePeers(asked, ({ workload, ...row }) => {
    const line = lineOf(PEERS_WORD, workload, row);
    write(line);
    lines.push(line);
  });
  process.stdout.write(`\n${await comparisonTable(lines)}`);
  // Results are stored only if all engines were measured, because ratios compare results of the same run.
  if (asked.length === 0) keep(lines);
}

function refuseUnknown(asked: readonly string[], known: readonly string[], kind: string): void {
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  process.stderr.write(`There is no ${kind} ${unknown.join(', ')}. There are ${known.join(', ')}.\n`);
  process.exit(2);
}

function write(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function writeProfile(): Promise<void> {
  const { parts, functions } = await profile();
  process.stdout.write('\nCPU time of the service by component (percent of the busy time of its process):\n');
  for (const { name, percent } of parts)
    process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
  process.stdout.write('\nFunctions:\n');
  for (const { name, percent } of functions)
    process.stdout.write(`  ${percent.toFixed(1).padStart(5)}  ${name}\n`);
}
