import type { NodeRun, NodeStatus } from './node-run.ts';

export interface LoopItem {
  readonly index: number;
  readonly nodes: ReadonlyMap<string, NodeRun>;
  readonly status: NodeStatus;
}

/**
 * The items of a loop, at most 10,000, as an immutable object. A change copies one block of 64 items, not all items.
 */
export interface LoopRun {
  readonly blocks: readonly (readonly (LoopItem | undefined)[] | undefined)[];
  readonly failed: number;
  /** `byEnded[n]` is the number of items in which `n` nodes have ended. Failed items do not count. */
  readonly byEnded: readonly number[];
}

export const NO_ITEMS: LoopRun = { blocks: [], failed: 0, byEnded: [] };

const BLOCK = 64;
/** Node statuses by priority. The status of an item is the first status in the list that any node of the item has. */
const WEIGHT: readonly NodeStatus[] = [
  'failed',
  'running',
  'retrying',
  'waiting',
  'cancelled',
  'completed',
  'skipped',
  'pending',
];

export function itemAt({ blocks }: LoopRun, index: number): LoopItem | undefined {
  return blocks[Math.floor(index / BLOCK)]?.[index % BLOCK];
}

export function itemsOf({ blocks }: LoopRun): readonly LoopItem[] {
  return blocks.flatMap((block) => (block ?? []).filter((item) => item !== undefined));
}

/**
 * Number of items of a loop that have ended, including failed items.
 * @param bodySize number of nodes in the body of the loop
 */
export function itemsDone({ failed, byEnded }: LoopRun, bodySize: number): number {
  return failed + (byEnded[bodySize] ?? 0);
}

/** Returns the first node in a loop item that has the same status as the whole item. */
export function leadOf({ nodes, status }: LoopItem): NodeRun | undefined {
  for (const node of nodes.values()) if (node.status === status) return node;
  return undefined;
}

export function withRun(loop: LoopRun, index: number, run: NodeRun): LoopRun {
  const before = itemAt(loop, index);
  const nodes = new Map(before?.nodes).set(run.id, run);
  const item: LoopItem = { index, nodes, status: statusOf(nodes) };
  const place = Math.floor(index / BLOCK);
  const block = loop.blocks[place]?.slice() ?? [];
  block[index % BLOCK] = item;
  const blocks = loop.blocks.slice();
  blocks[place] = block;
  return { ...counted(loop, before, item), blocks };
}

/**
 * A copy of the loop with `change` applied to every node of every item. Nodes that `change` returns unchanged keep
 * their object identity.
 */
export function mapRuns(loop: LoopRun, change: (run: NodeRun) => NodeRun): LoopRun {
  let next = loop;
  for (const { index, nodes } of itemsOf(loop))
    for (const run of nodes.values()) {
      const changed = change(run);
      if (changed !== run) next = withRun(next, index, changed);
    }
  return next;
}

function counted(
  { failed, byEnded }: LoopRun,
  before: LoopItem | undefined,
  item: LoopItem,
): Pick<LoopRun, 'failed' | 'byEnded'> {
  const counts = byEnded.slice();
  let failures = failed;
  const count = (one: LoopItem, by: 1 | -1): void => {
    if (one.status === 'failed') failures += by;
    else counts[endedIn(one)] = (counts[endedIn(one)] ?? 0) + by;
  };
  if (before !== undefined) count(before, -1);
  count(item, 1);
  return { failed: failures, byEnded: counts };
}

function endedIn({ nodes }: LoopItem): number {
  let ended = 0;
  for (const { endedAt } of nodes.values()) if (endedAt !== null) ended += 1;
  return ended;
}

function statusOf(nodes: ReadonlyMap<string, NodeRun>): NodeStatus {
  const statuses = new Set([...nodes.values()].map(({ status }) => status));
  return WEIGHT.find((status) => statuses.has(status)) ?? 'pending';
}
