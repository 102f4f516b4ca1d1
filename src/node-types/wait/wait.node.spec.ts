import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../expressions/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { WaitNode } from './wait.node.js';

const NOW = 1_000;
const node = new WaitNode({ now: () => NOW });

describe('the wait node', () => {
  it('the wait node suspends itself until its signal or its timeout', () => {
    expect(node.run(nodeContext({ signal: 'paid' }))).toEqual({
      kind: 'suspend',
      wait: { for: 'signal', signal: 'paid', until: null },
    });
    expect(node.run(nodeContext({ signal: 'paid', timeout_seconds: 0.5 }))).toMatchObject({
      wait: { until: NOW + 500 },
    });
  });

  it('the wait node requests an approval if its parameters configure one', () => {
    const approval = { title: 'Refund?' };
    expect(node.run(nodeContext({ signal: 'refund', approval }))).toMatchObject({ wait: { approval } });
  });

  it.each([{ paid: true }, null, 'yes'])(
    "the wait node returns the signal's payload %j as output",
    (payload) => {
      const resumption = { kind: 'signal', name: 'paid', payload } as const;
      expect(node.run(nodeContext({ signal: 'paid' }, { resumption }))).toEqual({
        kind: 'output',
        output: payload,
      });
    },
  );

  it('the wait node fails at its timeout, without a retry', () => {
    const resumption = { kind: 'timer', at: NOW } as const;
    expect(() => node.run(nodeContext({ signal: 'paid', timeout_seconds: 2 }, { resumption }))).toThrow(
      expect.objectContaining({
        code: 'wait_timeout',
        message: 'The signal "paid" did not arrive within 2 seconds.',
        options: { retryable: false },
      }),
    );
  });

  const registry = new NodeTypeRegistry();
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, WaitNode), node);
  const { parameters } = registry.get('wait')!;

  it.each<[JsonObject, string]>([
    [{}, 'with.signal required'],
    [{ signal: '' }, 'with.signal pattern'],
    [{ signal: 'a/b' }, 'with.signal pattern'],
    [{ signal: 'x'.repeat(129) }, 'with.signal pattern'],
    [{ signal: 'go', timeout_seconds: 0 }, 'with.timeout_seconds range'],
    [{ signal: 'go', approval: {} }, 'with.approval.title required'],
    [{ signal: 'go', approval: { title: 'x', more: 1 } }, 'with.approval.more unknown_field'],
  ])('the wait node rejects the parameters %j', (given, fault) => {
    expect(parameters.check(given).map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });
});
