import { describe, expect, it } from 'vitest';
import type { Json } from '../../expressions/index.js';
import { nodeContext, NodeTypeRegistry, NodeTypeMetadata } from '../../nodes/index.js';
import { SetNode } from './set.node.js';

describe('the set node', () => {
  it.each<[Json]>([[{ a: [1, null] }], ['text'], [0], [null], [false]])(
    'the set node returns its value %j',
    (value) => {
      expect(new SetNode().run(nodeContext({ value }))).toEqual({ kind: 'output', output: value });
    },
  );

  it('the set node requires a value and rejects other fields', () => {
    const registry = new NodeTypeRegistry();
    registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, SetNode), new SetNode());
    const { parameters } = registry.get('set')!;
    expect(parameters.check({ value: null })).toEqual([]);
    expect(parameters.check({ valeu: 1 }).map(({ path, code }) => `${path} ${code}`)).toEqual([
      'with.value required',
      'with.valeu unknown_field',
    ]);
  });
});
