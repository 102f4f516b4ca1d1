import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Line number, from 0. `columnNumber` is also counted from 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface ProfileRow {
  readonly name: string;
  /** Percentage of the time in which the profiled process was busy. */
  readonly percent: number;
}

export interface ProfileSummary {
  readonly parts: readonly ProfileRow[];
  readonly functions: readonly ProfileRow[];
}

export function summarize(file: string, rows = 15): ProfileSummary {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const written = asWritten();
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, written(callFrame)]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  profile.samples.forEach((sample, index) => {
    const frame = frames.get(sample);
    if (frame === undefined || frame.functionName === '(idle)') return;
    const time = profile.timeDeltas[index] ?? 0;
    busy += time;
    const part = partOf(frame.url, frame.functionName);
    const name = `${frame.functionName || '(anonymous)'} ${short(frame.url)}:${frame.lineNumber + 1}`;
    parts.set(part, (parts.get(part) ?? 0) + time);
    functions.set(name, (functions.get(name) ?? 0) + time);
  });
  const top = (times: ReadonlyMap<string, number>): readonly ProfileRow[] =>
    [...times]
      .sort((a, b) => b[1] - a[1])
      .slice(0, rows)
      .map(([name, time]) => ({ name, percent: Math.round((time / busy) * 1_000) / 10 }));
  return { parts: top(parts), functions: top(functions) };
}

/** Returns a function that maps positions in compiled files to positions in source files. */
function asWritten(): (frame: CallFrame) => CallFrame {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
    if (!existsSync(file)) return undefined;
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  };
  return (frame) => {
    if (!maps.has(frame.url)) maps.set(frame.url, mapOf(frame.url));
    const entry = maps.get(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber);
    if (entry === undefined || !('originalSource' in entry)) return frame;
    return { ...frame, url: entry.originalSource, lineNumber: entry.originalLine };
  };
}

function partOf(url: string, functionName: string): string {
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (packaged !== null) return packaged[1] ?? '';
  const room = /(?:^|\/)src\/([^/]+)(?:\/([^/]+))?/.exec(url);
  if (room !== null) return room[1] === 'platform' ? `platform/${room[2]}` : (room[1] ?? '');
  if (url.startsWith('node:')) return 'node.js';
  return url === '' ? `native ${functionName}` : 'other';
}

function short(url: string): string {
  return url.replace(/^.*\/(?=src\/)|^.*\/node_modules\//, '');
}
