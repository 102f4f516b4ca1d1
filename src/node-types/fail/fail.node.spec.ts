import { describe, expect, it } from 'vitest';
import { NodeFailure } from '../../node-contract/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { FailNode } from './fail.node.js';

describe('the fail node', () => {
  it('the fail node fails with its message and details, without a retry', () => {
    const run = () => new FailNode().run(nodeContext({ message: 'No stock.', details: { sku: 'A' } }));
    expect(run).toThrow(NodeFailure);
    expect(run).toThrow(
      expect.objectContaining({
        code: 'failed_by_workflow',
        message: 'No stock.',
        options: { retryable: false, details: { sku: 'A' } },
      }),
    );
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'with.message required'],
    [{ message: '' }, 'with.message length'],
    [{ message: 'x'.repeat(2001) }, 'with.message length'],
    [{ message: 5 }, 'with.message type'],
    [{ message: 'a', code: 'b' }, 'with.code unknown_field'],
  ])('the fail node rejects the parameters %j', (parameters, fault) => {
    const registry = new NodeTypeRegistry();
    registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, FailNode), new FailNode());
    const faults = registry.get('fail')!.parameters.check(parameters as never);
    expect(faults.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });
});
