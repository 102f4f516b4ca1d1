/**
 * Generates the node-type pages of the docs site from the schemas of the node types and from examples that tests run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, fieldTable, type JsonSchema, table } from './json-schema.ts';

export interface DescribedNodeType {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** An example workflow for one node type, with its input and its expected result. */
export interface NodeExample {
  readonly title: string;
  readonly text: string;
  readonly workflow: { readonly nodes: readonly object[]; readonly [field: string]: unknown };
  readonly input?: unknown;
  /** Payloads of the signals that the example sends to its execution, by signal name. */
  readonly signals?: Readonly<Record<string, unknown>>;
  /**
   * A child workflow that the example starts. The text `CHILD_WORKFLOW_ID` in `workflow` stands for the id of the child
   * workflow.
   */
  readonly child?: { readonly nodes: readonly object[]; readonly [field: string]: unknown };
  /** Responses of the fake server `https://api.example.com`, by method and path. */
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly status: 'completed' | 'failed';
  /** Fields that the output must contain. If `status` is `failed`, the error must contain them instead. */
  readonly result: unknown;
}

/** Descriptions of the capabilities of node types, for the pages. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  pure: 'The node has no effects outside its execution, so it runs without waiting for a commit.',
  cacheable: 'Results of the node are cached if `config.cache_enabled` is true.',
  cacheable_on_request: 'Results of the node are cached if the node has the field `cache`.',
  suspends: 'The node may suspend the execution. While an execution is suspended, it is not in memory.',
  starts_children: 'The node starts another execution.',
  iterates: 'The node contains other nodes and runs them for each element of a list.',
};

/** Reads the examples of all node types from a folder that contains one file `<type>.json` for each node type. */
export function readExamples(folder: string): ReadonlyMap<string, readonly NodeExample[]> {
  return new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        file.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly NodeExample[],
      ]),
  );
}

/** Returns the node-type pages as Markdown, by path: an index page, and one page for each node type. */
export function nodeTypePages(
  types: readonly DescribedNodeType[],
  examples: ReadonlyMap<string, readonly NodeExample[]>,
): ReadonlyMap<string, string> {
  const sorted = [...types].sort((a, b) => (a.type < b.type ? -1 : 1));
  return new Map([
    ['node-types/index.md', indexPage(sorted)],
    ...sorted.map(
      (type) => [`node-types/${type.type}.md`, page(type, examples.get(type.type) ?? [])] as const,
    ),
  ]);
}

function indexPage(types: readonly DescribedNodeType[]): string {
  return `# Node types

A node has an \`id\`, a \`type\` and the parameters of its type in \`with\`. Strings in \`with\` may contain
[expressions](../expressions.md). \`GET /v1/node-types\` returns the same descriptions, and the descriptions of node
types from plug-ins.

${table(
  ['type', 'what nodes of the type do'],
  types.map(({ type, description }) => [`[${code(type)}](${type}.md)`, description]),
)}

## Fields of every node

${table(
  ['field', 'meaning'],
  [
    ['`id`', 'Required. A lower-case letter, then up to 63 lower-case letters, digits and underscores.'],
    ['`type`', 'Required. A type in the table above, or a type from a plug-in.'],
    ['`name`', 'A name that is shown instead of the id.'],
    [
      '`needs`',
      'Ids of nodes that must be done before this node starts. The node also needs all nodes that its expressions name.',
    ],
    ['`if`', 'A condition: an expression without braces. If the condition is false, the node is skipped.'],
    ['`with`', 'The parameters of the node.'],
    [
      '`retry`',
      '`max_attempts` (1 to 10), `backoff` (`fixed` or `exponential`), `initial_delay_ms`, `max_delay_ms`, `jitter`. Without `retry`, a node has one attempt.',
    ],
    ['`timeout_seconds`', 'Maximum duration of an attempt. An attempt that takes longer fails.'],
    [
      '`on_error`',
      'If the node fails, `fail` (default) fails the execution, and `continue` continues it. Later nodes can then read `nodes.<id>.error`.',
    ],
    [
      '`cache`',
      'If an attempt with equal input succeeded at most `ttl_seconds` ago, its result is used and the node does not run.',
    ],
  ],
)}

To write your own type, see [adding a node type](../adding-a-node-type.md).
`;
}

function page(type: DescribedNodeType, examples: readonly NodeExample[]): string {
  const capabilities = Object.entries(type.capabilities)
    .filter(([, has]) => has)
    .map(([name]) => `- ${CAPABILITIES[name] ?? code(name)}`);
  const output = fieldTable(type.output_schema);
  return [
    `# ${type.title}`,
    `${code(type.type)}: ${type.description}`,
    '## Parameters',
    fieldTable(type.schema),
    '## Output',
    type.output_schema.description ?? '',
    output,
    ...(capabilities.length === 0 ? [] : ['## Behavior', capabilities.join('\n')]),
    '## Examples',
    ...examples.flatMap(exampleParts),
    `\n[All node types](index.md) · version ${type.version}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function exampleParts(example: NodeExample): readonly string[] {
  const parts = [`### ${example.title}`, example.text, json(example.workflow)];
  if (example.child !== undefined) parts.push('The child workflow:', json(example.child));
  if (example.input !== undefined) parts.push('Input:', json(example.input));
  for (const [name, payload] of Object.entries(example.signals ?? {}))
    parts.push(`The payload of the signal ${code(name)}:`, json(payload));
  for (const [request, body] of Object.entries(example.responses ?? {}))
    parts.push(`${code(request)} returns:`, json(body));
  parts.push(
    example.status === 'completed' ? 'The execution completes with the output:' : 'The execution fails with:',
    json(example.result),
  );
  return parts;
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
