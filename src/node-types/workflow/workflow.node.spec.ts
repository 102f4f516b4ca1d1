import { describe, expect, it } from 'vitest';
import type { ChildEnd } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { WorkflowNode } from './workflow.node.js';

const ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';
const node = new WorkflowNode();

function resumed(end: Omit<ChildEnd, 'id'>): ReturnType<typeof node.run> {
  return node.run(nodeContext({ workflow_id: ID }, { resumption: { kind: 'child', id: 'c1', ...end } }));
}

describe('the workflow node', () => {
  it('the workflow node requests a child execution', () => {
    expect(node.run(nodeContext({ workflow_id: ID }))).toEqual({
      kind: 'start_child',
      child: { workflowId: ID, version: null, input: null },
    });
    expect(node.run(nodeContext({ workflow_id: ID, version: 2, input: { n: 1 } }))).toMatchObject({
      child: { version: 2, input: { n: 1 } },
    });
  });

  it('the workflow node returns the output of its child execution', () => {
    expect(resumed({ status: 'completed', output: 42, error: null })).toEqual({ kind: 'output', output: 42 });
  });

  it.each(['failed', 'cancelled', 'timed_out'] as const)(
    'the workflow node fails if its child execution ended as %s',
    (status) => {
      const error = { type: 'boom', message: 'Boom.', node_id: 'x' };
      expect(() => resumed({ status, output: null, error: status === 'cancelled' ? null : error })).toThrow(
        expect.objectContaining({
          code: 'child_failed',
          options: { details: { execution_id: 'c1', status, error: status === 'cancelled' ? null : error } },
        }),
      );
    },
  );

  const registry = new NodeTypeRegistry();
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, WorkflowNode), node);
  const { parameters } = registry.get('workflow')!;

  it.each<[JsonObject, string]>([
    [{}, 'with.workflow_id required'],
    [{ workflow_id: 'mine' }, 'with.workflow_id format'],
    [{ workflow_id: ID, version: 0 }, 'with.version range'],
    [{ workflow_id: ID, version: 1.5 }, 'with.version type'],
  ])('the workflow node rejects the parameters %j', (given, fault) => {
    expect(parameters.check(given).map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });
});
