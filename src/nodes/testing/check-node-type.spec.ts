import { Inject, Injectable } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../expressions/index.js';
import {
  type NodeContext,
  type NodeResult,
  type NodeType as NodeTypeContract,
  type NodeTypeDescription,
  output,
  suspend,
} from '../../node-contract/index.js';
import { NodeType } from '../node-type.decorator.js';
import { NodeTypeRegistrationError } from '../node-type.errors.js';
import { checkNodeType } from './check-node-type.js';
import { NodeTestError } from './node-test.errors.js';
import { testNode } from './test-node.js';

const GOOD: NodeTypeDescription = {
  type: 'acme.made',
  version: 1,
  title: 'Made',
  description: 'Made for a test.',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: { text: { type: 'string', title: 'Text' }, plain: { title: 'Plain', 'x-literal': true } },
  },
  outputSchema: { type: 'string', description: 'The text.' },
  capabilities: {},
};

/** Creates a valid node type whose description has the given changes. */
function made(
  run: (context: NodeContext) => NodeResult | Promise<NodeResult>,
  change: Partial<NodeTypeDescription> = {},
) {
  @NodeType({ ...GOOD, ...change })
  class MadeNode implements NodeTypeContract {
    run(context: NodeContext) {
      return run(context);
    }
  }
  return MadeNode;
}

const echo = ({ with: { text = '' } }: NodeContext): NodeResult => output(text);

async function faultsOf(work: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await work.then(
    () => expect.fail('There is no fault.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NodeTestError);
  return (error as NodeTestError).faults;
}

describe('testNode', () => {
  it('`testNode` creates the node with the given providers', async () => {
    @Injectable()
    class Suffix {
      readonly text = '!';
    }
    @NodeType(GOOD)
    class ShoutNode implements NodeTypeContract {
      constructor(@Inject(Suffix) private readonly suffix: Suffix) {}

      run({ with: { text } }: NodeContext<{ readonly text: string }>): NodeResult {
        return output(text + this.suffix.text, ['said']);
      }
    }
    const result = await testNode(ShoutNode, {
      providers: [Suffix],
      with: { text: '{{ nodes.tested.output + input.more }}' },
      scope: { nodes: { tested: { output: 'a' } }, input: { more: 'b' } },
    });
    expect(result).toEqual({ output: 'ab!', suspended: null, child: null, logs: ['said'], progress: [] });
    await expect(testNode(ShoutNode, { with: { text: 'a' } })).rejects.toThrow(/resolve dependencies/);
  });

  it('`testNode` does not evaluate expressions in literal parameters', async () => {
    const literal = made(({ with: parameters }) => output(parameters['plain'] ?? null));
    expect((await testNode(literal, { with: { plain: '{{ x' } })).output).toBe('{{ x');
  });

  it('`testNode` reports parameters that are invalid before or after the evaluation of their expressions', async () => {
    const at = (text: Json, input: Json = null) => testNode(made(echo), { with: { text }, scope: { input } });
    expect(await faultsOf(at(1))).toEqual([expect.stringMatching(/^with\.text: /)]);
    expect(await faultsOf(at('{{ input. }}'))).toEqual([expect.stringMatching(/^with\.text: /)]);
    expect(await faultsOf(at('{{ input }}', 5))).toEqual([expect.stringMatching(/^with\.text: /)]);
    expect(await faultsOf(at('{{ nodes.none.output }}'))).toEqual([expect.stringContaining('"none"')]);
    await expect(at('{{ input.missing }}', {})).rejects.toThrow(/missing/);
  });

  it.each<[string, NodeResult, RegExp]>([
    ['that its schema rejects', output(5), /^output: /],
    ['that is not JSON', output(new Date(0) as unknown as Json), /^output: The output is not JSON/],
    ['that is missing', output(undefined as unknown as Json), /^output: The output is not JSON/],
    ['that suspends without declaring it', suspend({ for: 'timer', until: 1 }), /suspended/],
  ])('`testNode` rejects a result %s', async (_, result, fault) => {
    expect(await faultsOf(testNode(made(() => result)))).toEqual([expect.stringMatching(fault)]);
  });

  it('`testNode` rejects progress outside the range from 0 to 1', async () => {
    const far = made(({ progress }) => {
      progress(0.5, 'half');
      progress(50);
      return output('');
    });
    expect(await faultsOf(testNode(far))).toEqual(['progress: 50 is not from 0 to 1.']);
  });
});

describe('checkNodeType', () => {
  const examples = [{ with: { text: 'a' }, output: 'a' }];

  it('`checkNodeType` accepts a node type that satisfies the contract', async () => {
    await checkNodeType(made(echo, { capabilities: { pure: true } }), { examples });
    const waits = made(() => suspend({ for: 'signal', until: null }), { capabilities: { suspends: true } });
    await checkNodeType(waits, { examples: [{}] });
  });

  it('`checkNodeType` reports all errors in the description of a node type', async () => {
    const careless = made(echo, {
      title: ' ',
      description: '',
      schema: { properties: { text: {} } },
      outputSchema: {},
      capabilities: { pure: true, cacheable: true, suspends: true },
    });
    expect((await faultsOf(checkNodeType(careless))).map((fault) => fault.split(':')[0])).toEqual([
      'title',
      'description',
      'schema',
      'schema',
      'schema.properties.text',
      'outputSchema',
      'capabilities',
      'capabilities',
      'There is no example. Pass an example, or add one to "examples" of the schema.',
    ]);
  });

  it('`checkNodeType` runs the examples in the schema of a node type in addition to the given examples', async () => {
    const schema: JsonObject = { ...GOOD.schema, examples: [{ text: 1 }] };
    expect(await faultsOf(checkNodeType(made(echo, { schema }), { examples }))).toEqual([
      expect.stringMatching(/^examples\[1\]: with\.text: /),
    ]);
  });

  it('`checkNodeType` reports an example with a different output, and an example that fails', async () => {
    expect(
      await faultsOf(checkNodeType(made(echo), { examples: [{ with: { text: 'a' }, output: 'b' }] })),
    ).toEqual(['examples[0]: The output is "a", not "b".']);
    const broken = made(() => {
      throw new Error('no luck');
    });
    expect(await faultsOf(checkNodeType(broken, { examples }))).toEqual([
      'examples[0]: The node fails: no luck',
    ]);
  });

  it('`checkNodeType` reports a node type that is declared pure but returns different outputs', async () => {
    let count = 0;
    const counting = made(() => output(String((count += 1))), { capabilities: { pure: true } });
    expect(await faultsOf(checkNodeType(counting, { examples: [{}] }))).toEqual([
      'examples[0]: The node type is declared pure, but a second run returned a different output.',
    ]);
  });

  it('`checkNodeType` reports a node type that changes its parameters', async () => {
    const greedy = made(({ with: parameters }) => {
      Reflect.deleteProperty(parameters, 'text');
      return output('a');
    });
    expect(await faultsOf(checkNodeType(greedy, { examples }))).toEqual([
      'examples[0]: The node changes its input "with".',
    ]);
  });

  it('`checkNodeType` rejects a node type that the service would refuse to register', async () => {
    await expect(checkNodeType(made(echo, { type: 'Made' }), { examples })).rejects.toThrow(
      NodeTypeRegistrationError,
    );
    class Plain implements NodeTypeContract {
      run = echo;
    }
    expect(await faultsOf(checkNodeType(Plain))).toEqual([
      'The class Plain has no @NodeType decorator. Add the decorator.',
    ]);
  });
});
