/** One execution, and the first page of the list, beside bare Express on the same file. */
import { type Figures, inRounds, round, run } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { counted, fileOf, writeEnded } from './w6.ts';

const ROWS = 1_000;
const CLIENTS = [1, 16];
/** The same time for both, long enough for the runtime to have compiled what is asked for. */
const SECONDS = { warmUp: sized(3, 0.5), measured: sized(4, 1) };
/** An hour ago: what is as old as that is counted and kept as a total. */
const UNTIL_MS = 3_600_000;

export interface Reads {
  readonly request: string;
  readonly clients: number;
  readonly service: Read;
  readonly bare: Read;
  /** Time of a read over that of the bare server, at the median. */
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
  const bare = await startServer(['bench/bare-reads.ts', fileOf(service)]);
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
            const plain = await measure(bare, path, {}, clients);
            const own = await measure(service.server, path, service.headers, clients);
            return {
              request,
              clients,
              service: own,
              bare: plain,
              ratio: round(own.p50_ms / plain.p50_ms),
            };
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
  path: (index: number) => string,
  headers: Readonly<Record<string, string>>,
  clients: number,
): Promise<Read> {
  const load = {
    url: server.url,
    path,
    headers,
    clients,
    check: (status: number, body: string) => {
      if (status !== 200) throw new Error(`Answered ${status}: ${body}`);
    },
  };
  await run({ ...load, requests: Infinity, seconds: SECONDS.warmUp });
  const before = server.cpuMs();
  const taken: Figures = await run({ ...load, requests: Infinity, seconds: SECONDS.measured });
  return {
    per_second: taken.perSecond,
    p50_ms: taken.p50,
    p99_ms: taken.p99,
    cpu_ms_each: round((server.cpuMs() - before) / taken.count),
  };
}
