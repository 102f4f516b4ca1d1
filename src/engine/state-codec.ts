import { LongValue, type LongValuePlace } from '../long-values/index.js';
import { fold } from './fold.js';
import { startedLoopState, ItemResults } from './loop-state.js';
import { type ExecutionState, type NodeState, NodeStates, PENDING } from './state.js';

/**
 * Revision of the checkpoint format. Increment the revision when a field of the state keeps its name but changes its
 * meaning.
 */
const REVISION = 1;

/** Format of a stored state: the revision and the names of all fields. Checkpoints in another format are ignored. */
const FORMAT = [
  REVISION,
  ...[fold([]), PENDING, startedLoopState({ items: [], max_concurrency: 1 }, 0)].flatMap(Object.keys),
].join(',');

/** Location of a long value whose text the checkpoint omits. */
interface StoredLongValue {
  readonly path: readonly string[];
  readonly place: LongValuePlace;
  readonly size: number;
}

interface StoredState extends Omit<ExecutionState, 'nodes'> {
  readonly nodes: readonly (readonly [string, NodeState])[];
}

interface Stored {
  readonly state: StoredState;
  readonly longValues: readonly StoredLongValue[];
}

/** Encodes a state as text. Returns null if a long value of the state is not stored yet. */
function encode({ nodes, ...others }: ExecutionState): string | null {
  const state: StoredState = { ...others, nodes: [...nodes] };
  const longValues: StoredLongValue[] = [];
  return collect(state, [], longValues) ? JSON.stringify({ state, longValues } satisfies Stored) : null;
}

/**
 * Parses the text of a state.
 * @param text a result of `encode` in the current format
 */
function decode(text: string): ExecutionState {
  const { state, longValues } = JSON.parse(text) as Stored;
  for (const { path, place, size } of longValues) put(state, path, LongValue.storedAt(place, size));
  const nodes = state.nodes.map(([key, node]) => [key, withResults(node)] as const);
  return { ...state, nodes: NodeStates.NONE.with(new Map(nodes)) };
}

/**
 * Adds the long values inside a value to `found`.
 * @returns false if one of the long values is not stored yet
 */
function collect(value: unknown, path: readonly string[], found: StoredLongValue[]): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!(value instanceof LongValue))
    return Object.entries(value).every(([name, field]) => collect(field, [...path, name], found));
  if (value.place === null) return false;
  found.push({ path, place: value.place, size: value.size });
  return true;
}

function put(target: object, path: readonly string[], value: LongValue): void {
  const owner = path.slice(0, -1).reduce((at, name) => Reflect.get(at, name) as object, target);
  Reflect.set(owner, path.at(-1) as string, value);
}

function withResults(node: NodeState): NodeState {
  if (node.loop === null) return node;
  const results = ItemResults.restored(node.loop.results);
  return { ...node, loop: { ...node.loop, results } };
}

/**
 * Converts states to the text of checkpoints and back. The text contains the locations of long values, not their text.
 */
export const stateCodec = { format: FORMAT, encode, decode } as const;
