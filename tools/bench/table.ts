/** `npm run bench -- table`: updates the tables in tools/bench/README.md from the stored results. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { round } from './load.ts';
import { latest, type Line } from './results.ts';

const README = join(import.meta.dirname, 'README.md');
const BEGIN = '<!-- figures:begin -->';
const END = '<!-- figures:end -->';
const EMPTY_CELL = '';

/** Labels for the tables, by the short names in the results. */
const LABELS: Readonly<Record<string, string>> = {
  'list, failed': 'list, failed executions',
  'list, none': 'list, status without executions',
  'list, no such trigger': 'list, trigger without executions',
  'list, metadata that ten have': 'list, metadata of ten executions',
  'list, metadata that all have': 'list, metadata of all executions',
  'list, last day': 'list, executions of one day',
  'list, last 19 days, failed': 'list, failed executions of 19 days',
  read: 'read one execution',
  'read, meanwhile': 'read one execution during that list',
  'figures, 24 hours': 'statistics of 24 hours',
  'figures, 7 days': 'statistics of 7 days',
  'latest runs of 20 workflows': 'latest executions of 20 workflows',
  'W1, whose commits have a thread': 'W1; a separate thread commits',
  'code nodes, which have processes': 'code nodes; each runs in a child process',
};

/**
 * @param check true to only compare, with a non-zero exit code if the file is out of date
 */
export async function table(check: boolean): Promise<void> {
  const text = readFileSync(README, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${README} does not contain the markers ${BEGIN} and ${END}.`);
  const lines = latest();
  const figures = [boundTable(lines), contenders(lines)].filter((part) => part !== EMPTY_CELL).join('\n\n');
  const options = { ...(await resolveConfig(README)), filepath: README };
  const wanted = await format(`${before}${BEGIN}\n\n${figures}\n\n${END}${after}`, options);
  if (wanted === text) return;
  if (check) {
    process.stderr.write(
      'The figures in tools/bench/README.md differ from tools/bench/results. Run: npm run bench -- table\n',
    );
    process.exitCode = 1;
    return;
  }
  writeFileSync(README, wanted);
}

type Cells = (line: Line) => readonly [string, string, string, string];

const CELLS: Readonly<Record<string, Cells>> = {
  W1: (line) => closedLoop(line, 'W1, 64 clients'),
  W2: (line) => closedLoop(line, 'W2, one client'),
  W3: (line) => [
    `W3, ${shown(line, 'nodes')} nodes`,
    `sequential ${shown(line, 'chain_ms')} ms, parallel ${shown(line, 'parallel_ms')} ms`,
    `${shown(line, 'bound_ms')} ms`,
    shown(line, 'ratio_of_chain'),
  ],
  W4: (line) => [
    `W4, ${shown(line, 'backlog')} starts`,
    `${shown(line, 'starts_per_second')} starts/s, ${shown(line, 'drained_per_second')} executed/s; resident memory ${shown(line, 'memory_mb.before')} MB before, ${shown(line, 'memory_mb.full')} MB when queued, ${shown(line, 'memory_mb.most')} MB at the peak, ${shown(line, 'memory_mb.after')} MB after; live heap ${shown(line, 'heap_mb.few')} MB before, ${shown(line, 'heap_mb.full')} MB when queued, ${shown(line, 'heap_mb.after')} MB after`,
    `${shown(line, 'bound.starts_per_second')} starts/s, ${shown(line, 'bound.drained_per_second')} executed/s`,
    shown(line, 'ratio_of_drain'),
  ],
  sleepers: (line) => [
    `sleepers, ${shown(line, 'sleeping')} executions, ${shown(line, 'database')}`,
    `start time ${shown(line, 'start_ms.full')} ms (without executions ${shown(line, 'start_ms.empty')} ms); memory ${shown(line, 'memory_mb.full')} MB (without ${shown(line, 'memory_mb.empty')} MB); idle CPU ${shown(line, 'idle_cpu_percent.full')} % (without ${shown(line, 'idle_cpu_percent.empty')} %); time from due to completed p50 ${shown(line, 'woken_ms.p50')} ms, maximum ${shown(line, 'woken_ms.max')} ms`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  W5: (line) => [
    `W5, ${shown(line, 'replayed') === EMPTY_CELL ? `${shown(line, 'sockets')} sockets` : `replay of ${shown(line, 'replayed')} events`}`,
    withP99(line, 'service'),
    withP99(line, 'bare'),
    shown(line, 'ratio'),
  ],
  stalled: (line) => [
    `stalled, ${shown(line, 'stalled_readers')} readers`,
    `${shown(line, 'growth_mb')} MB memory growth; latency of the other readers p50 ${shown(line, 'healthy_p50_ms')} ms, p99 ${shown(line, 'healthy_p99_ms')} ms`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  foreach: (line) => [
    `foreach, ${shown(line, 'items')} items, ${shown(line, 'body')} node`,
    `${shown(line, 'seconds')} s, ${shown(line, 'grown_mb')} MB memory growth`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  resume: (line) => [
    `resume, ${shown(line, 'events')} events, ${line['checkpoint'] === true ? 'with checkpoint' : 'without checkpoint'}`,
    `p50 ${shown(line, 'wake_p50_ms')} ms`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  cores: (line) => [
    `cores, ${labelOf(shown(line, 'what'))}`,
    `one core ${shown(line, 'one_core_per_second')}/s, two cores ${shown(line, 'two_cores_per_second')}/s`,
    EMPTY_CELL,
    shown(line, 'ratio'),
  ],
  W6: (line) => [
    `W6, ${labelOf(shown(line, 'request'))}, ${shown(line, 'rows')} rows`,
    `p50 ${shown(line, 'p50_ms')} ms, p95 ${shown(line, 'p95_ms')} ms`,
    EMPTY_CELL,
    shown(line, 'ratio'),
  ],
  search: (line) => [
    `${shown(line, 'request')}, ${shown(line, 'rows')} executions, ${shown(line, 'database')}`,
    `p50 ${shown(line, 'p50_ms')} ms, p95 ${shown(line, 'p95_ms')} ms`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  reads: (line) => [
    `reads, ${shown(line, 'request')}, clients: ${shown(line, 'clients')}`,
    readBy(line, 'service'),
    readBy(line, 'bare'),
    shown(line, 'ratio'),
  ],
  builder: (line) => [
    `builder, ${shown(line, 'nodes')} nodes`,
    `${shown(line, 'frames_per_second')} frames/s while a node is dragged (at rest ${shown(line, 'frames_per_second_at_rest')}), ${shown(line, 'long_frames_percent')} % long frames; main thread ${shown(line, 'main_thread_ms_per_second')} ms/s; from key to marker p50 ${shown(line, 'key_to_marker_ms.p50')} ms, maximum ${shown(line, 'key_to_marker_ms.most')} ms`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
  W7: (line) => [
    `W7, ${shown(line, 'minutes')} minutes, ${shown(line, 'executions')} executions`,
    `growth of resident memory ${shown(line, 'resident_mb_per_hour')} MB/h, of the heap ${shown(line, 'heap_mb_per_hour')} MB/h; event-loop delay p99.9 ${shown(line, 'loop_delay_ms.p999')} ms; handles ${shown(line, 'handles.begin')} before, ${shown(line, 'handles.end')} after`,
    EMPTY_CELL,
    EMPTY_CELL,
  ],
};

function labelOf(name: string): string {
  return LABELS[name] ?? name;
}

function closedLoop(line: Line, name: string): readonly [string, string, string, string] {
  const cell = (side: string): string =>
    `${shown(line, `${side}.per_second`)}/s; p50 ${shown(line, `${side}.p50_ms`)} ms, p99 ${shown(line, `${side}.p99_ms`)} ms; ${shown(line, `${side}.cpu_ms_each`)} ms CPU per execution`;
  return [name, cell('service'), cell('bound'), shown(line, 'ratio')];
}

function readBy(line: Line, side: string): string {
  const figure = (name: string): string => shown(line, `${side}.${name}`);
  return `${figure('per_second')}/s; p50 ${figure('p50_ms')} ms, p99 ${figure('p99_ms')} ms; ${figure('cpu_ms_each')} ms CPU per read`;
}

function withP99(line: Line, side: string): string {
  const p99 = shown(line, `${side}_p99_ms`);
  return `${shown(line, `${side}_per_second`)}/s${p99 === EMPTY_CELL ? '' : `, p99 ${p99} ms`}`;
}

function boundTable(lines: readonly Line[]): string {
  const own = Object.entries(CELLS).flatMap(([asked, cells]) =>
    lines.filter((line) => line.asked === asked).map((line) => ({ line, cells: cells(line) })),
  );
  if (own.length === 0) return EMPTY_CELL;
  return [
    '### Service and bound',
    conditions(own.map(({ line }) => line)),
    markdown(
      ['workload', 'service', 'bound', 'ratio'],
      own.map(({ cells }) => cells),
    ),
  ].join('\n\n');
}

/** Columns of the table that compares engines: workload, field of the result, and heading. */
const COLUMNS = [
  ['W1', 'per_second', 'W1 executions/s'],
  ['W1', 'p50_ms', 'W1 p50 ms'],
  ['W1', 'p99_ms', 'W1 p99 ms'],
  ['W1', 'cpu_ms_each', 'W1 CPU ms per execution'],
  ['W2', 'p50_ms', 'W2 p50 ms'],
  ['W3', 'chain_ms', 'W3 sequential ms'],
  ['W3', 'parallel_ms', 'W3 parallel ms'],
  ['W4', 'per_second', 'W4 executions/s'],
] as const;

/** Returns the table that compares the service with other engines, as Markdown. */
export async function comparisonTable(lines: readonly Line[]): Promise<string> {
  return format(contenders(lines), { ...(await resolveConfig(README)), parser: 'markdown' });
}

function contenders(lines: readonly Line[]): string {
  const rows = lines.filter((line) => line.asked === 'peers');
  const names = [...new Set(rows.map((row) => shown(row, 'name')))];
  if (names.length === 0) return EMPTY_CELL;
  const of = (name: string, workload: string): Line | undefined =>
    rows.find((row) => row['name'] === name && row.workload === workload);
  const ours = names.filter((name) => of(name, 'W1')?.['times_better'] === undefined);
  const cpuOf = (name: string): number => Number(of(name, 'W1')?.['cpu_ms_each']);
  return [
    '### Comparison with other engines',
    conditions(rows),
    'The last two columns compare Workflow Service with the engine in the row, in W1. The column "times faster" is the rate of the service divided by the rate of the engine. The column "times less CPU" is the CPU time of the engine per execution divided by the CPU time of the service.',
    `Each cell of the last two columns has one value for each setup of the service, in this order: ${ours.join('; ')}.`,
    markdown(
      ['engine', ...COLUMNS.map(([, , heading]) => heading), 'durable', 'times faster', 'times less CPU'],
      names.map((name) => {
        const w1 = of(name, 'W1');
        const better = w1?.['times_better'] as Readonly<Record<string, number>> | undefined;
        return [
          `${name} ${shown(w1, 'version')}`,
          ...COLUMNS.map(([workload, field]) => shown(of(name, workload), field)),
          shown(w1, 'durable'),
          Object.values(better ?? {}).join('; '),
          ours.includes(name) ? '' : ours.map((other) => round(cpuOf(name) / cpuOf(other))).join('; '),
        ];
      }),
    ),
  ].join('\n\n');
}

/** Returns the machines, versions and dates of the results as text. The results may come from several runs. */
function conditions(lines: readonly Line[]): string {
  const all = (path: string): string => [...new Set(lines.map((line) => shown(line, path)))].join(', ');
  const days = lines.map((line) => shown(line, 'measured_at').slice(0, 10)).sort();
  const between = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
  return `Machine: ${all('machine')}. Node.js: ${all('versions.node')}. Service: ${all('versions.service')}. Commits of the service: ${all('versions.commit')}. Measured: ${between}.`;
}

function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns a field of a result as text; empty if the field is absent. Dots in the path separate nested fields. */
function shown(line: Line | undefined, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      line,
    );
  if (typeof value === 'number') return value.toLocaleString('en-US');
  return typeof value === 'string' ? value : EMPTY_CELL;
}
