import { isDeepStrictEqual } from 'node:util';
import type { Provider, Type } from '@nestjs/common';
import type { Json, JsonObject } from '../../expressions/index.js';
import type { NodeType } from '../../node-contract/index.js';
import { NodeTestError } from './node-test.errors.js';
import { type NodeUnderTest, withNodeType } from './node-under-test.js';
import { type NodeTest, type NodeTestResult, runOnce } from './test-node.js';

/** An example attempt of a node type. The attempt must succeed. */
export interface NodeExample extends Omit<NodeTest, 'providers'> {
  /** Output that the attempt must return. Omit an output that is not known in advance. */
  readonly output?: Json;
}

/**
 * Checks that a node type fulfills its contract: its description, its schemas and its declared capabilities.
 * @param given.examples at least one example, unless the schema has `examples`, which are also checked
 * @throws NodeTestError that lists all errors; NodeTypeRegistrationError if the service would reject the type at
 * startup
 */
export async function checkNodeType(
  type: Type<NodeType>,
  given: { readonly examples?: readonly NodeExample[]; readonly providers?: readonly Provider[] } = {},
): Promise<void> {
  const faults = await withNodeType(type, given.providers ?? [], async (node) => {
    const { schema } = node.registered.description;
    const inSchema = (schema['examples'] ?? []) as readonly JsonObject[];
    const examples = [...(given.examples ?? []), ...inSchema.map((one): NodeExample => ({ with: one }))];
    const found = [...descriptionFaults(node)];
    if (examples.length === 0)
      found.push('There is no example. Pass an example, or add one to "examples" of the schema.');
    for (const [index, example] of examples.entries())
      for (const fault of await exampleFaults(node, example)) found.push(`examples[${index}]: ${fault}`);
    return found;
  });
  if (faults.length > 0) throw new NodeTestError(faults);
}

function descriptionFaults({ registered }: NodeUnderTest): readonly string[] {
  const { title, description, schema, outputSchema, capabilities } = registered.description;
  const {
    properties = {},
    type,
    additionalProperties,
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly type?: Json;
    readonly additionalProperties?: Json;
  };
  return [
    ...(title.trim() === '' ? ['title: The title is empty. People choose a node type by its title.'] : []),
    ...(description.trim() === '' ? ['description: The description is empty. Say what the node does.'] : []),
    ...(type === 'object' ? [] : ['schema: The "type" must be "object", because "with" is an object.']),
    ...(additionalProperties === undefined
      ? [
          'schema: Set "additionalProperties" to false, so that misspelled names are reported, or to true to allow any name.',
        ]
      : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      property['description'] === undefined && property['title'] === undefined
        ? [`schema.properties.${name}: The property has neither a title nor a description.`]
        : [],
    ),
    ...(Object.keys(outputSchema).length === 0
      ? ['outputSchema: The schema is empty. Add at least a "description" of the output.']
      : []),
    ...(capabilities.pure === true && capabilities.suspends === true
      ? ['capabilities: A pure type cannot suspend, because its output would depend on time.']
      : []),
    ...(capabilities.cacheable === true && capabilities.suspends === true
      ? ['capabilities: A type that suspends cannot be cacheable.']
      : []),
  ];
}

async function exampleFaults(node: NodeUnderTest, example: NodeExample): Promise<readonly string[]> {
  const { pure } = node.registered.description.capabilities;
  const given = structuredClone(example.with ?? {});
  try {
    const first = await runOnce(node, { ...example, with: given });
    return [
      ...outputFaults(first, example),
      ...(isDeepStrictEqual(given, example.with ?? {}) ? [] : ['The node changes its input "with".']),
      ...(pure === true ? repeatFaults(first, await runOnce(node, example)) : []),
    ];
  } catch (error) {
    if (error instanceof NodeTestError) return error.faults;
    return [`The node fails: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function outputFaults(result: NodeTestResult, example: NodeExample): readonly string[] {
  if (!('output' in example) || isDeepStrictEqual(result.output, example.output)) return [];
  return [`The output is ${JSON.stringify(result.output)}, not ${JSON.stringify(example.output)}.`];
}

function repeatFaults(first: NodeTestResult, second: NodeTestResult): readonly string[] {
  if (isDeepStrictEqual(first.output, second.output)) return [];
  return ['The node type is declared pure, but a second run returned a different output.'];
}
