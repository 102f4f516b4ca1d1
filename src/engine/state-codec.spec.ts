import { describe, expect, it } from 'vitest';
import { planOf, EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
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
  it('a checkpoint keeps the location and size of each stored long value, at every depth of the state', () => {
    const long = LongValue.storedAt(PLACE, 99);
    const end = { kind: 'child', id: 'x', status: 'completed', output: long, error: null } as const;
    const state = restored({ ...withNode({ output: long, resumption: end }), input: long });
    for (const value of [state.input, nodeState(state, 'a').output]) expect(value).toEqual(long);
    expect(nodeState(state, 'a').resumption).toEqual(end);
  });

  it('a checkpoint stores user data unchanged even if the data looks like fields of the checkpoint', () => {
    const input = { longValues: [{ path: ['input'], place: PLACE, size: 1 }], state: null };
    expect(restored({ ...fold([]), input }).input).toEqual(input);
  });

  it('`encode` returns null if the state contains a long value that is not stored yet', () => {
    expect(stateCodec.encode(withNode({ output: LongValue.ofText('"x"') }))).toBeNull();
  });

  it('the format string of checkpoints lists the fields of states, nodes and loops', () => {
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
      const decision = next(plan, state, NOW, EVALUATION_CONTEXT, []);
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

  it('the output of a node is removed from the checkpoint once every node that needs the output has ended', () => {
    const plan = planOf(NODES);
    expect(outputsOf(withoutUnneededOutputs(plan, after(1)))).toEqual(['a', null, null]);
    expect(outputsOf(withoutUnneededOutputs(plan, after(2)))).toEqual([null, 'b', null]);
  });

  it('a checkpoint keeps the output of a node if the output of the workflow refers to the node', () => {
    const plan = planOf(NODES, {}, '{{ nodes.a.output }}');
    expect(outputsOf(withoutUnneededOutputs(plan, after(2, plan)))).toEqual(['a', 'b', null]);
  });
});
