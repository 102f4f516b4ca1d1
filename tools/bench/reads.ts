/** Benchmarks read requests: compares the service with bare Express on the same database file. */
import { type Figures, inRounds, medians, round, run } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { counted, fileOf, writeEnded } from './w6.ts';

const ROWS = 1_000;
const CLIENTS = [1, 16];
/** Durations in seconds of the warm-up and of each measurement. V8 optimizes the code during the warm-up. */
const SECONDS = { warmUp: sized(2, 0.5), measured: sized(1, 0.5) };
/**
 * Number of measurements of each server. The two servers are measured alternately, because the speed of the machine
 * changes over time.
 */
const TURNS = sized(5, 1);
/**
 * Minimum age of the executions in milliseconds: one hour. The service adds only executions older than 5 minutes to its
 * totals.
 */
const UNTIL_MS = 3_600_000;

export interface Reads {
  readonly request: string;
  readonly clients: number;
  readonly service: Read;
  readonly bare: Read;
  readonly ratio: number;
}

type Request = readonly [string, (index: number) => string];

interface Read {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_ms_each: number;
}

export async function reads(): Promise<readonly Reads[]> {
  const service = await startService();
  const bare = await startServer(['tools/bench/bare-reads.ts', fileOf(service)]);
  try {
    const { id } = await service.post('/v1/workflows', { name: 'reads' });
    const ids = await writeEnded(service, [id], ROWS, Date.now() - UNTIL_MS);
    await counted(service, ROWS);
    const paths: readonly Request[] = [
      ['one execution', (index) => `/v1/executions/${ids[index % ids.length]}`],
      ['the list', () => '/v1/executions'],
    ];
    const rows: Reads[] = [];
    for (const [request, path] of paths)
      for (const clients of CLIENTS)
        rows.push(
          await inRounds(async () => {
            await asked(bare, path, {}, clients, SECONDS.warmUp);
            await asked(service.server, path, service.headers, clients, SECONDS.warmUp);
            const turns: Pick<Reads, 'service' | 'bare' | 'ratio'>[] = [];
            for (let turn = 0; turn < TURNS; turn += 1) {
              const plain = await measure(bare, path, {}, clients);
              const own = await measure(service.server, path, service.headers, clients);
              turns.push({ service: own, bare: plain, ratio: round(own.p50_ms / plain.p50_ms) });
            }
            return { request, clients, ...medians(turns) };
          }),
        );
    return rows;
  } finally {
    await bare.stop();
    await service.stop();
  }
}

async function measure(
  server: ServerProcess,
  path: Request[1],
  headers: Readonly<Record<string, string>>,
  clients: number,
): Promise<Read> {
  const before = server.cpuMs();
  const taken = await asked(server, path, headers, clients, SECONDS.measured);
  return {
    per_second: taken.perSecond,
    p50_ms: taken.p50,
    p99_ms: taken.p99,
    cpu_ms_each: round((server.cpuMs() - before) / taken.count),
  };
}

function asked(
  { url }: ServerProcess,
  path: Request[1],
  headers: Readonly<Record<string, string>>,
  clients: number,
  seconds: number,
): Promise<Figures> {
  return run({
    url,
    path,
    headers,
    clients,
    requests: Infinity,
    seconds,
    check: (status, body) => {
      if (status !== 200) throw new Error(`The service responded with the status ${status}: ${body}`);
    },
  });
}
