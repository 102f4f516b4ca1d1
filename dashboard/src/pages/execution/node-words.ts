import { duration, number, percent } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { STATUSES, type StatusTone } from '../../ui/index.ts';
import { itemsDone } from './loop-run.ts';
import type { GraphNode } from './run-graph.ts';
import type { NodeRun, NodeStatus } from './node-run.ts';
import type { RunState } from './run-state.ts';

/** Displayed status of a node. `not_run` means that the execution ended before the node started. */
export type ShownStatus = NodeStatus | 'not_run';

/**
 * @param isOver whether the execution has ended
 */
export function shownStatus(run: NodeRun | undefined, isOver: boolean): ShownStatus {
  if (run === undefined) return isOver ? 'not_run' : 'pending';
  return isOver && run.status === 'pending' ? 'cancelled' : run.status;
}

/** A node of the graph with its state in the execution. `run` is undefined before the first event of the node. */
export interface ShownNode {
  readonly node: GraphNode;
  readonly run: NodeRun | undefined;
  readonly status: ShownStatus;
  readonly itemsDone: number;
}

/** CSS class that colors the text and the icon of a status. */
export const TONE_TEXT: Readonly<Record<StatusTone, string>> = {
  completed: 'text-completed',
  failed: 'text-failed',
  running: 'text-running',
  waiting: 'text-waiting',
  'timed-out': 'text-timed-out',
  idle: 'text-idle',
};

/**
 * The displayed nodes of an execution. Unchanged nodes keep their object identity, so that React does not render them
 * again.
 */
export class ShownNodes {
  private last: readonly ShownNode[] = [];

  of(graph: readonly GraphNode[], { nodes, loops, endedAt }: RunState): readonly ShownNode[] {
    const next = graph.map((node, index) => {
      const run = nodes.get(node.id);
      const loop = loops.get(node.id);
      const done = loop === undefined ? 0 : itemsDone(loop, node.body.length);
      const status = shownStatus(run, endedAt !== null);
      const before = this.last[index];
      const isSameRun = before?.run === run && before?.status === status && before.itemsDone === done;
      if (before?.node === node && isSameRun) return before;
      return { node, run, status, itemsDone: done };
    });
    const isSame =
      next.length === this.last.length && next.every((shown, index) => shown === this.last[index]);
    if (!isSame) this.last = next;
    return this.last;
  }
}

/** Progress of a node, from 0 to 1; null if the node is not running or its progress is unknown. */
export function fractionOf({ run, status, itemsDone: done }: ShownNode): number | null {
  if (run === undefined || status !== 'running') return null;
  if (run.items !== null) return run.items === 0 ? null : done / run.items;
  return run.reported?.fraction ?? null;
}

export function toneOf(status: ShownStatus): StatusTone {
  return STATUSES[status].tone;
}

export function lengthOf(run: NodeRun | undefined, now: number): number | null {
  const first = run?.segments[0];
  const last = run?.segments.at(-1);
  if (first === undefined || last === undefined) return null;
  return Math.max(0, (last.to ?? Math.max(now, last.from)) - first.from);
}

/** Short text about the state of a node, such as `212 ms`, `attempt 2`, `3.1 s left` or `12 of 40`. */
export function detailOf({ node, run, status, itemsDone: done }: ShownNode, now: number): string {
  const length = lengthOf(run, now);
  switch (status) {
    case 'pending':
      return texts.pending;
    case 'not_run':
      return texts.notRun;
    case 'skipped':
      return texts.skipped;
    case 'retrying':
      return texts.nextAttempt((run?.attempt ?? 0) + 1, untilOf(run, now));
    case 'waiting':
      // A node that waits for an approval shows a word for the approval instead of the remaining time.
      return (run?.waiting?.approveUrl ?? null) === null
        ? (untilOf(run, now) ?? waitingWord(run))
        : texts.approval;
    case 'running':
      if (run !== undefined && run.items !== null) return texts.progressOf(number(done), number(run.items));
      if (run !== undefined && run.reported !== null)
        return percent(Math.round(run.reported.fraction * 100) / 100);
      return (run?.attempt ?? 1) > 1 ? texts.attemptNumber(run?.attempt ?? 1) : texts.running;
    case 'completed':
      if (run?.cached === true) return texts.fromCache;
      return duration(length ?? 0);
    case 'failed':
      return node.maxAttempts > 1 ? texts.failedAttempt(run?.attempt ?? 1) : texts.failedWord;
    case 'cancelled':
      return texts.cancelled;
  }
}

function untilOf(run: NodeRun | undefined, now: number): string | null {
  const wakeAt = run?.waiting?.wakeAt ?? null;
  if (run === undefined || wakeAt === null) return null;
  if (wakeAt <= now) return texts.due;
  const left = brief(wakeAt - now);
  return run.status === 'retrying' ? texts.inTime(left) : texts.timeLeft(left);
}

/** Formats a duration with only its first unit, such as `3 min` for 3 min 20 s, because space is limited. */
function brief(ms: number): string {
  return duration(ms).split(' ').slice(0, 2).join(' ');
}

function waitingWord(run: NodeRun | undefined): string {
  const waiting = run?.waiting ?? null;
  if (waiting === null) return texts.waiting;
  if (waiting.signal !== null) return waiting.signal;
  return waiting.childId === null ? texts.waiting : texts.child;
}
