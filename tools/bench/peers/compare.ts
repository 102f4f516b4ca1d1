/**
 * Compares the service with other engines. All engines are measured alternately, because the speed of the machine
 * changes over time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { treesCpuMs } from '../cpu.ts';
import { medians, round, run } from '../load.ts';
import { ROUNDS, sized } from '../size.ts';
import { bullmq } from './bullmq.ts';
import type { Call, Contender, Running, Servers } from './contender.ts';
import { dbos } from './dbos.ts';
import { installPeers } from './installed.ts';
import { nodeRed } from './node-red.ts';
import { onPostgres, onSqlite, REPLICAS } from './ours.ts';
import { restate } from './restate.ts';
import { withServers } from '../servers.ts';

/** The compared engines, by their names on the command line. */
export const PEERS: Readonly<Record<string, () => Contender>> = {
  dbos,
  restate,
  'node-red': nodeRed,
  bullmq,
};

const CLIENTS = 64;
/**
 * Durations of the measurement with many clients. All engines run for the same time, because their speeds differ too
 * much for the same number of executions.
 */
const MANY = { warmUpSeconds: sized(10, 3), measuredSeconds: sized(12, 4) };
const ONE = { warmUpSeconds: sized(5, 2), measuredSeconds: sized(8, 3) };
const LIGHT = { warmUp: sized(20, 5), measured: sized(15, 5) };
/**
 * Size of the backlog in W4: as many executions as the engine runs in `seconds`, at its rate in W1, from `least` to
 * `most` executions.
 */
const BACKLOG = { seconds: sized(10, 2), least: sized(2_000, 500), most: sized(20_000, 4_000) };
const DRAIN_MS = 300_000;
const POLL_MS = 50;

type Workload = 'W1' | 'W2' | 'W3' | 'W4';

type Measured = Readonly<Record<string, number>>;

export interface PeerRow extends Readonly<Record<string, unknown>> {
  readonly workload: string;
  readonly name: string;
}

/**
 * @param asked names in {@link PEERS}; empty for all contenders
 * @param write called with each row at the end
 */
export async function comparePeers(asked: readonly string[], write: (row: PeerRow) => void): Promise<void> {
  installPeers();
  const peers = Object.entries(PEERS).filter(([name]) => asked.length === 0 || asked.includes(name));
  const contenders = [onSqlite(), ...REPLICAS.map(onPostgres), ...peers.map(([, make]) => make())];
  const measured = new Map<Contender, Map<Workload, Measured[]>>();
  await withServers(async (servers) => {
    for (let turn = 0; turn < ROUNDS; turn += 1)
      for (const contender of contenders) {
        process.stderr.write(`Round ${turn + 1} of ${ROUNDS}: ${contender.name} ${contender.version}\n`);
        const of = measured.get(contender) ?? new Map<Workload, Measured[]>();
        measured.set(contender, of);
        for (const [workload, figures] of await measure(contender, servers))
          of.set(workload, [...(of.get(workload) ?? []), figures]);
      }
  });
  const rows = contenders.flatMap((contender) =>
    [...(measured.get(contender) ?? [])].map(([workload, rounds]) => ({
      contender,
      workload,
      figures: medians(rounds),
    })),
  );
  for (const { contender, workload, figures } of rows) {
    const { name, version, durable } = contender;
    const ours = rows.filter((row) => row.workload === workload && row.contender.ours);
    write({
      workload,
      name,
      version,
      rounds: ROUNDS,
      ...figures,
      durable,
      ...(contender.ours
        ? {}
        : {
            times_better: Object.fromEntries(
              ours.map((row) => [row.contender.name, timesBetter(workload, row.figures, figures)]),
            ),
          }),
    });
  }
}

async function measure(contender: Contender, servers: Servers): Promise<ReadonlyMap<Workload, Measured>> {
  const running = await contender.start(servers);
  try {
    const w1 = await manyAtOnce(running);
    const w2 = await closedLoop(running, 1, ONE);
    const w3 = { chain_ms: await light(running.chain), parallel_ms: await light(running.parallel) };
    const found: [Workload, Measured][] = [
      ['W1', w1],
      ['W2', w2],
      ['W3', w3],
    ];
    if (running.leave !== null) found.push(['W4', await backlog(running, running.leave, w1)]);
    return new Map(found);
  } finally {
    await running.stop();
  }
}

function manyAtOnce(running: Running): ReturnType<typeof closedLoop> {
  return closedLoop(running, CLIENTS, MANY);
}

async function closedLoop(
  running: Running,
  clients: number,
  { warmUpSeconds, measuredSeconds }: typeof MANY,
): Promise<Measured & { readonly per_second: number }> {
  const load = { ...running.three, clients, requests: Infinity };
  await run({ ...load, seconds: warmUpSeconds });
  const before = treesCpuMs(running.pids);
  const { perSecond, p50, p95, p99, count } = await run({ ...load, seconds: measuredSeconds });
  return {
    per_second: perSecond,
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    cpu_ms_each: round((treesCpuMs(running.pids) - before) / count),
    executions: count,
  };
}

async function light(call: Call): Promise<number> {
  await run({ ...call, clients: 1, requests: LIGHT.warmUp });
  const { p50 } = await run({ ...call, clients: 1, requests: LIGHT.measured });
  return p50;
}

/**
 * Adds a backlog of executions without waiting for their ends. The measured rate includes the time until the last
 * execution has ended.
 */
async function backlog(
  running: Running,
  leave: Call,
  { per_second: expected }: { readonly per_second: number },
): Promise<Measured> {
  const count = Math.min(BACKLOG.most, Math.max(BACKLOG.least, expected * BACKLOG.seconds));
  const wanted = (await running.completed()) + count;
  const cpu = treesCpuMs(running.pids);
  const begun = performance.now();
  const { perSecond } = await run({ ...leave, clients: CLIENTS, requests: count });
  while ((await running.completed()) < wanted) {
    if (performance.now() - begun > DRAIN_MS)
      throw new Error(`The backlog of executions was not completed within ${DRAIN_MS} ms.`);
    await pause(POLL_MS);
  }
  return {
    backlog: count,
    starts_per_second: perSecond,
    per_second: Math.round((count * 1_000) / (performance.now() - begun)),
    cpu_ms_each: round((treesCpuMs(running.pids) - cpu) / count),
  };
}

function timesBetter(workload: Workload, ours: Measured, theirs: Measured): number {
  const quotient = (a: number | undefined, b: number | undefined): number => round((a ?? 0) / (b ?? 0));
  if (workload === 'W2') return quotient(theirs['p50_ms'], ours['p50_ms']);
  if (workload === 'W3') return quotient(theirs['chain_ms'], ours['chain_ms']);
  return quotient(ours['per_second'], theirs['per_second']);
}
