import type { NodeRun, NodeStatus } from './node-run.ts';

/** One item of a loop, by what became of the nodes inside. */
export interface LoopItem {
  readonly index: number;
  /** By their ids, in the order in which they began. */
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** Of the item as a whole. */
  readonly status: NodeStatus;
}

/**
 * The items of a loop, ten thousand of them at the most. An event copies one block and the list of blocks, not all
 * items: the state before it stays as it was.
 */
export interface LoopRun {
  readonly blocks: readonly (readonly (LoopItem | undefined)[] | undefined)[];
  /** Items in which a node failed. */
  readonly failed: number;
  /** Of the others, how many have as many nodes that ended as the place in the list says. */
  readonly byEnded: readonly number[];
}

export const NO_ITEMS: LoopRun = { blocks: [], failed: 0, byEnded: [] };

const BLOCK = 64;
/** What an item is as a whole: the first of these that one of its nodes is. */
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

/** Every item that has begun, by its place. */
export function itemsOf({ blocks }: LoopRun): readonly LoopItem[] {
  return blocks.flatMap((block) => (block ?? []).filter((item) => item !== undefined));
}

/** How many items are done. @param bodySize nodes that the loop has for each item */
export function itemsDone({ failed, byEnded }: LoopRun, bodySize: number): number {
  return failed + (byEnded[bodySize] ?? 0);
}

/** The node of an item that tells how it stands. */
export function leadOf({ nodes, status }: LoopItem): NodeRun | undefined {
  for (const node of nodes.values()) if (node.status === status) return node;
  return undefined;
}

/** The loop with a node of one of its items as it is now. */
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

/** The loop with every node of its items changed by a function; those that it gives back as they are stay so. */
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
