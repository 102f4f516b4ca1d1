import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NodeState, NodeStates, PENDING } from './state.js';

const KEYS = ['a', 'b', 'c', 'each[0].a', 'each[1].a'];

interface Step {
  /** Which state to change: 0 is the newest state, 1 is the state before the newest, and so on. */
  readonly back: number;
  readonly changes: readonly (readonly [string, number | null])[];
  /** Which state to read after the change: 0 is the newest state, 1 is the state before the newest, and so on. */
  readonly asked: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(10)),
    changes: fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat(9), { freq: 8, nil: null })), {
      maxLength: 3,
    }),
    asked: fc.nat(10),
  }),
  { maxLength: 80 },
);

it('a NodeStates object keeps its states and their order when new objects are derived from it', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const models: ReadonlyMap<string, NodeState>[] = [new Map()];
      const states = [NodeStates.NONE];
      for (const { back, changes, asked } of all) {
        const from = Math.max(0, states.length - 1 - back);
        const model = new Map(models[from]);
        const made = new Map(
          changes.map(([key, attempt]) => [key, attempt === null ? null : { ...PENDING, attempt }]),
        );
        for (const [key, state] of made)
          if (state === null) model.delete(key);
          else model.set(key, state);
        models.push(model);
        const after = states[from]?.with(made);
        if (after !== undefined) states.push(after);
        const index = Math.max(0, states.length - 1 - asked);
        expect(KEYS.map((key) => states[index]?.get(key))).toEqual(
          KEYS.map((key) => models[index]?.get(key)),
        );
      }
      expect(states.map((one) => [...one])).toEqual(models.map((one) => [...one]));
    }),
    { numRuns: 500 },
  );
});

it('an iteration over NodeStates does not return nodes that a newer version adds', () => {
  const all = NodeStates.NONE.with(new Map([['a', PENDING]])).with(new Map([['b', PENDING]]));
  let newest = all;
  const seen: string[] = [];
  for (const [key] of all) {
    seen.push(key);
    if (seen.length > 2) break;
    newest = newest.with(new Map([[`after ${key}`, PENDING]]));
  }
  expect(seen).toEqual(['a', 'b']);
  expect([...newest].map(([key]) => key)).toEqual(['a', 'b', 'after a', 'after b']);
});

describe('versions of NodeStates that follow a retained one', () => {
  it('garbage collection removes unreferenced versions of NodeStates, even if an older version is still referenced', async () => {
    const older = NodeStates.NONE.with(new Map([['a', PENDING]]));
    const { newest, made } = grown(older, 1_000);
    expect(await left(made)).toBeLessThan(100);
    expect(older.get('a')).toBe(PENDING);
    expect(newest.get('a')?.attempt).toBe(999);
  });

  it('garbage collection removes unreferenced versions of NodeStates that were created from the empty version', async () => {
    expect(await left(grown(NodeStates.NONE, 50).made)).toBeLessThan(10);
  });
});

function grown(from: NodeStates, times: number): { newest: NodeStates; made: readonly WeakRef<NodeState>[] } {
  let newest = from;
  const made = Array.from({ length: times }, (_, attempt) => {
    const state = { ...PENDING, attempt };
    newest = newest.with(new Map([['a', state]]));
    return new WeakRef<NodeState>(state);
  });
  return { newest, made };
}

/** Returns how many states survive garbage collection. References on the stack may keep a few states alive. */
async function left(made: readonly WeakRef<NodeState>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The target of a WeakRef stays alive until the current turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return made.filter((one) => one.deref() !== undefined).length;
}
