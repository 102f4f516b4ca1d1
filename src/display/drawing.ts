import { FINAL_STATUSES, type NodeStatus } from '../execution-events/index.js';
import { printable } from './event-line.js';
import type { NodePicture, Picture, Span } from './picture.js';
import { type Color, paint, type Style } from './style.js';

export interface Drawing {
  readonly picture: Picture;
  /** Current time, in epoch milliseconds. */
  readonly now: number;
  /** Width of the terminal in columns. */
  readonly width: number;
  readonly style: Style;
}

/** Minimum duration that the full length of a bar represents, in milliseconds. */
const LEAST_SCALE_MS = 6_000;
const BAR = { least: 12, most: 40 } as const;
/** Width of the text beside the bar of a line, in terminal columns. */
const BESIDE_BAR = 52;

const MARKS: Readonly<
  Record<NodeStatus, { readonly unicode: string; readonly ascii: string; readonly color: Color }>
> = {
  pending: { unicode: '○', ascii: '.', color: 'grey' },
  running: { unicode: '●', ascii: '>', color: 'blue' },
  retrying: { unicode: '↻', ascii: 'r', color: 'yellow' },
  waiting: { unicode: '◔', ascii: 'w', color: 'yellow' },
  completed: { unicode: '✓', ascii: '+', color: 'green' },
  failed: { unicode: '✗', ascii: 'x', color: 'red' },
  skipped: { unicode: '–', ascii: '-', color: 'grey' },
};

const INK: Readonly<
  Record<Span['kind'], { readonly unicode: string; readonly ascii: string; readonly color: Color }>
> = {
  run: { unicode: '█', ascii: '#', color: 'blue' },
  wait: { unicode: '░', ascii: ':', color: 'yellow' },
  lost: { unicode: '╳', ascii: 'X', color: 'red' },
};

/** Draws an execution: one line per node, and a last line with the progress. */
export function draw({ picture, now, width, style }: Drawing): readonly string[] {
  const nodes = [...picture.nodes.values()];
  const idWidth = Math.max(...nodes.map(({ id }) => id.length));
  const typeWidth = Math.max(...nodes.map(({ type }) => type.length));
  const cells = Math.min(BAR.most, Math.max(BAR.least, width - BESIDE_BAR));
  const scale = scaleOf(picture, now, cells);
  const lines = nodes.map((node) => {
    const { unicode, ascii, color } = MARKS[node.status];
    const mark = paint(style, color, style.unicode ? unicode : ascii);
    const type = paint(style, 'grey', node.type.padEnd(typeWidth));
    const used = 2 + 2 + idWidth + 2 + typeWidth + 2 + cells + 2;
    const remark = printable(remarkOf(node, now)).slice(0, Math.max(0, width - used - 1));
    return `  ${mark} ${node.id.padEnd(idWidth)}  ${type}  ${bar(node.spans, scale, style)}  ${remark}`.trimEnd();
  });
  return [...lines, '', `  ${progressLine(picture, cells, style)}`];
}

interface Scale {
  readonly cells: number;
  readonly from: number;
  readonly msPerCell: number;
  /** Epoch milliseconds up to which spans that have not ended are drawn. */
  readonly now: number;
}

function scaleOf({ startedAt, finishedAt }: Picture, now: number, cells: number): Scale {
  const from = startedAt ?? now;
  const end = finishedAt ?? now;
  return { cells, from, msPerCell: Math.max(LEAST_SCALE_MS, end - from) / cells, now: end };
}

function bar(spans: readonly Span[], { cells, from, msPerCell, now }: Scale, style: Style): string {
  const row = Array.from<Span['kind'] | null>({ length: cells }).fill(null);
  for (const span of spans) {
    // Every span gets at least one cell of the bar, so that short spans are visible.
    const first = Math.min(cells - 1, Math.max(0, Math.floor((span.from - from) / msPerCell)));
    const last = Math.max(first, Math.ceil(((span.to ?? now) - from) / msPerCell) - 1);
    for (let cell = first; cell <= Math.min(last, cells - 1); cell += 1) row[cell] = span.kind;
  }
  let text = '';
  for (let cell = 0; cell < cells;) {
    const kind = row[cell] ?? null;
    let end = cell;
    while (end < cells && (row[end] ?? null) === kind) end += 1;
    text += run(kind, end - cell, style);
    cell = end;
  }
  return text;
}

function run(kind: Span['kind'] | null, length: number, style: Style): string {
  if (kind === null) return paint(style, 'grey', (style.unicode ? '·' : ' ').repeat(length));
  const { unicode, ascii, color } = INK[kind];
  return paint(style, color, (style.unicode ? unicode : ascii).repeat(length));
}

function remarkOf(node: NodePicture, now: number): string {
  const left = node.wakeAt === null ? '' : node.wakeAt <= now ? 'now' : seconds(node.wakeAt - now);
  const again = node.attempt > 1 ? `attempt ${node.attempt}` : '';
  switch (node.status) {
    case 'pending':
      return node.spans.length === 0 ? '' : 'runs again';
    case 'running':
      return again;
    case 'waiting':
      return left === 'now' ? 'is due' : `waits ${left}`.trimEnd();
    case 'retrying':
      return `again ${left === 'now' ? left : `in ${left}`}: ${node.fault ?? ''}`;
    case 'failed':
      return node.fault ?? '';
    case 'skipped':
      return 'skipped';
    case 'completed':
      return [seconds(lasted(node.spans)), again].filter((part) => part !== '').join(', ');
  }
}

function lasted(spans: readonly Span[]): number {
  return Math.max(0, (spans.at(-1)?.to ?? 0) - (spans[0]?.from ?? 0));
}

function progressLine({ status, completed, nodes, sequence }: Picture, cells: number, style: Style): string {
  const full = Math.round((completed / nodes.size) * cells);
  const [done, open] = style.unicode ? ['━', '─'] : ['=', '-'];
  const color =
    status === 'completed'
      ? 'green'
      : (FINAL_STATUSES as readonly string[]).includes(status)
        ? 'red'
        : 'blue';
  const line = `${paint(style, color, done.repeat(full))}${paint(style, 'grey', open.repeat(cells - full))}`;
  return `${line}  ${completed} of ${nodes.size} nodes   event ${sequence}   ${status}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;
}
