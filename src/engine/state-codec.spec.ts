import { describe, expect, it } from 'vitest';
import { planOf, SURROUNDINGS } from '../../test/support/engine-plans.js';
import { queued } from '../../test/support/simulated-run.js';
import { LongValue } from '../long-values/index.js';
import { stateCodec } from './state-codec.js';
import type { NodeDefinition } from './definition.js';
import { fold } from './fold.js';
import { next } from './next.js';
import { settle } from './settle.js';
import { type ExecutionState, nodeState, NodeStates, PENDING } from './state.js';
import { withoutUnneededOutputs } from './unneeded-outputs.js';

const PLACE = { executionId: null, sequence: 3, field: 'output' } as const;
const NOW = 1_000;

function restored(state: ExecutionState): ExecutionState {
  const text = stateCodec.encode(state);
  if (text === null) throw new Error('A long value is not stored.');
  return stateCodec.decode(text);
}

function withNode(own: Partial<typeof PENDING>): ExecutionState {
  return { ...fold([]), nodes: NodeStates.NONE.with(new Map([['a', { ...PENDING, ...own }]])) };
}

describe('the encoded state', () => {
  it('a checkpoint contains the location and size of stored long values at every depth', () => {
    const long = LongValue.storedAt(PLACE, 99);
    const end = { kind: 'child', id: 'x', status: 'completed', output: long, error: null } as const;
    const state = restored({ ...withNode({ output: long, resumption: end }), input: long });
    for (const value of [state.input, nodeState(state, 'a').output]) expect(value).toEqual(long);
    expect(nodeState(state, 'a').resumption).toEqual(end);
  });

  it('a checkpoint keeps user JSON that resembles the fields of the checkpoint', () => {
    const input = { longValues: [{ path: ['input'], place: PLACE, size: 1 }], state: null };
    expect(restored({ ...fold([]), input }).input).toEqual(input);
  });

  it('no checkpoint is encoded while a long value of the state is not stored', () => {
    expect(stateCodec.encode(withNode({ output: LongValue.ofText('"x"') }))).toBeNull();
  });

  it('the checkpoint format contains all fields of a state, a node and a loop', () => {
    expect(stateCodec.format).toMatch(/^1,status,.*,nodes,.*,attempt,.*,items,.*,results/);
  });
});

describe('unneeded outputs', () => {
  const NODES: readonly NodeDefinition[] = [
    { id: 'a', type: 'pure' },
    { id: 'b', type: 'pure', needs: ['a'] },
    { id: 'c', type: 'pure', needs: ['b'] },
  ];

  /** Returns the state of a chain of nodes after the first `count` nodes have completed. */
  function after(count: number, plan = planOf(NODES)): ExecutionState {
    let state = fold([queued(null, 0)]);
    for (let done = 0; done < count; done += 1) {
      const decision = next(plan, state, NOW, SURROUNDINGS, []);
      ({ state } = decision);
      for (const order of decision.runs)
        state = fold(
          [settle(plan, state, order, { kind: 'output', output: order.node.id, cached: false }, NOW, 0)],
          state,
        );
    }
    return state;
  }

  const outputsOf = (state: ExecutionState): readonly unknown[] =>
    ['a', 'b', 'c'].map((id) => nodeState(state, id).output);

  it('outputs are removed from the checkpoint once every node that needs them has ended', () => {
    const plan = planOf(NODES);
    expect(outputsOf(withoutUnneededOutputs(plan, after(1)))).toEqual(['a', null, null]);
    expect(outputsOf(withoutUnneededOutputs(plan, after(2)))).toEqual([null, 'b', null]);
  });

  it('outputs stay in the checkpoint if the output of the execution uses them', () => {
    const plan = planOf(NODES, {}, '{{ nodes.a.output }}');
    expect(outputsOf(withoutUnneededOutputs(plan, after(2, plan)))).toEqual(['a', 'b', null]);
  });
});
