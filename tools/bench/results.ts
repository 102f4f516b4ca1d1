/** Reads and writes the benchmark results in `tools/bench/results`, one JSON line for each result. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { QUICK } from './size.ts';

/** One result of a benchmark, with the machine, the versions and the time of the measurement. */
export interface Line extends Readonly<Record<string, unknown>> {
  /** Command-line argument that selected the workload. */
  readonly asked: string;
  readonly workload: string;
}

const FOLDER = join(import.meta.dirname, 'results');

/**
 * Results from which the README is generated. Results of `--quick` are too imprecise and are stored in another file.
 */
const LATEST = join(FOLDER, 'latest.json');
const OF_THIS_RUN = QUICK ? join(FOLDER, 'quick.json') : LATEST;

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as {
  readonly version: string;
};

const RUN = {
  machine: `${cpus().length} x ${cpus()[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  versions: { service: version, commit: commit(), node: process.versions.node },
  measured_at: new Date().toISOString(),
  ...(QUICK ? { quick: true } : {}),
};

export function lineOf(asked: string, workload: string, row: object): Line {
  return { asked, workload, ...row, ...RUN };
}

/** Stores results. Earlier results of the same command-line arguments are removed. */
export function keep(lines: readonly Line[]): void {
  const asked = new Set(lines.map((line) => line.asked));
  const others = read(OF_THIS_RUN).filter((line) => !asked.has(line.asked));
  mkdirSync(dirname(OF_THIS_RUN), { recursive: true });
  writeFileSync(
    OF_THIS_RUN,
    `[\n${[...others, ...lines].map((line) => JSON.stringify(line)).join(',\n')}\n]\n`,
  );
}

export function latest(): readonly Line[] {
  return read(LATEST);
}

function read(file: string): readonly Line[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly Line[];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
