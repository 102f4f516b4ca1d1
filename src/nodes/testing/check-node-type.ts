import { isDeepStrictEqual } from 'node:util';
import type { Provider, Type } from '@nestjs/common';
import type { Json, JsonObject } from '../../expressions/index.js';
import type { NodeType } from '../../node-contract/index.js';
import { NodeTestError } from './node-test.errors.js';
import { type NodeUnderTest, withNodeType } from './node-under-test.js';
import { type NodeTest, type NodeTestResult, runOnce } from './test-node.js';

/** An attempt that must succeed, used as an example. */
export interface NodeExample extends Omit<NodeTest, 'providers'> {
  /** Expected output. Omit it if the output is not known in advance. */
  readonly output?: Json;
}

/**
 * Checks a node type against the contract: its description, its schemas and, by examples, the declared capabilities.
 * @param given.examples at least one; those in the schema's `examples` are added
 * @throws NodeTestError naming every error; NodeTypeRegistrationError if the service would reject the type at startup
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
    if (examples.length === 0) found.push('There is no example; give one, or write it into the schema.');
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
    ...(title.trim() === '' ? ['title: It is empty; it is what people choose the type by.'] : []),
    ...(description.trim() === '' ? ['description: It is empty; say what the node does.'] : []),
    ...(type === 'object' ? [] : ['schema: Its "type" must be "object", since "with" is one.']),
    ...(additionalProperties === undefined
      ? [
          'schema: Say "additionalProperties": false, so that a misspelled name is reported; or true if any name is allowed.',
        ]
      : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      property['description'] === undefined && property['title'] === undefined
        ? [`schema.properties.${name}: It has neither title nor description.`]
        : [],
    ),
    ...(Object.keys(outputSchema).length === 0
      ? ['outputSchema: It is empty; at least a "description" says what the output is.']
      : []),
    ...(capabilities.pure === true && capabilities.suspends === true
      ? ['capabilities: A pure type does not suspend; what it gives would depend on time.']
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
      ...(isDeepStrictEqual(given, example.with ?? {}) ? [] : ['It changes what it is given in "with".']),
      ...(pure === true ? repeatFaults(first, await runOnce(node, example)) : []),
    ];
  } catch (error) {
    if (error instanceof NodeTestError) return error.faults;
    return [`It fails: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function outputFaults(result: NodeTestResult, example: NodeExample): readonly string[] {
  if (!('output' in example) || isDeepStrictEqual(result.output, example.output)) return [];
  return [`The output is ${JSON.stringify(result.output)}, not ${JSON.stringify(example.output)}.`];
}

function repeatFaults(first: NodeTestResult, second: NodeTestResult): readonly string[] {
  if (isDeepStrictEqual(first.output, second.output)) return [];
  return ['It is declared pure, and gave another output the second time.'];
}
