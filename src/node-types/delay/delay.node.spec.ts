import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../expressions/index.js';
import type { Clock } from '../../platform/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { DelayNode } from './delay.node.js';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const clock: Clock = { now: () => NOW };
const node = new DelayNode(clock);

describe('the delay node', () => {
  it.each<[JsonObject, number]>([
    [{ seconds: 5 }, NOW + 5000],
    [{ seconds: 0.25 }, NOW + 250],
    [{ seconds: 0.0001 }, NOW + 1],
    [{ seconds: 31_536_000 }, NOW + 31_536_000_000],
    [{ until: '2030-01-01T00:00:10Z' }, NOW + 10_000],
    [{ until: '2030-01-01T01:00:00.5+00:30' }, NOW + 1_800_500],
  ])('the delay node suspends itself until the time that the parameters %j specify', (parameters, until) => {
    expect(node.run(nodeContext(parameters))).toEqual({ kind: 'suspend', wait: { for: 'timer', until } });
  });

  it.each<[JsonObject]>([
    [{ seconds: 0 }],
    [{ until: '2029-12-31T23:59:59Z' }],
    [{ until: '2030-01-01T00:00:00Z' }],
  ])('the delay node completes immediately for %j', (parameters) => {
    expect(node.run(nodeContext(parameters))).toEqual({
      kind: 'output',
      output: { woke_at: '2030-01-01T00:00:00.000Z' },
    });
  });

  it('the delay node returns its wake-up time as output', () => {
    const resumption = { kind: 'timer', at: NOW + 5 } as const;
    expect(node.run(nodeContext({ seconds: 60 }, { resumption }))).toEqual({
      kind: 'output',
      output: { woke_at: '2030-01-01T00:00:00.005Z' },
    });
  });

  it('the delay node fails if its wake-up time is not a valid time', () => {
    expect(() => node.run(nodeContext({ until: '2030-12-31T23:59:60Z' }))).toThrow(
      expect.objectContaining({ code: 'invalid_time' }),
    );
  });

  const registry = new NodeTypeRegistry();
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, DelayNode), node);
  const { parameters } = registry.get('delay')!;

  it.each<[JsonObject, string]>([
    [{}, 'with no_match'],
    [{ seconds: 1, until: '2030-01-01T00:00:00Z' }, 'with no_match'],
    [{ seconds: -1 }, 'with.seconds range'],
    [{ seconds: 31_536_001 }, 'with.seconds range'],
    [{ seconds: '5' }, 'with.seconds type'],
    [{ until: 'tomorrow' }, 'with.until format'],
    [{ until: '2030-01-01' }, 'with.until format'],
    [{ until: '2030-02-30T00:00:00Z' }, 'with.until format'],
  ])('the delay node rejects the parameters %j', (given, fault) => {
    expect(parameters.check(given).map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });

  it('the delay node accepts an expression in place of a time when a workflow is saved', () => {
    expect(parameters.checkDefinition({ seconds: '{{ input.s }}' }, 'with')).toEqual([]);
    expect(
      parameters.checkDefinition({ seconds: '{{ input.s }}', until: '{{ input.u }}' }, 'with'),
    ).toMatchObject([{ message: 'Must have exactly one of these fields: seconds, until.' }]);
  });
});
