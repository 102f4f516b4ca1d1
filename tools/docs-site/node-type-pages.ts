/** Generates the pages of node types from their schemas, and from examples that a test runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, fieldTable, type JsonSchema, table } from './json-schema.ts';

/** A node type as `GET /v1/node-types` describes it. */
export interface DescribedNodeType {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly output_schema: JsonSchema;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** A workflow that shows a node type, with input and result. */
export interface NodeExample {
  readonly title: string;
  readonly text: string;
  readonly workflow: { readonly nodes: readonly object[]; readonly [field: string]: unknown };
  readonly input?: unknown;
  /** Signals to send while the workflow runs, as payloads by signal name. */
  readonly signals?: Readonly<Record<string, unknown>>;
  /** The child workflow. In the example, `CHILD_WORKFLOW_ID` stands for the id of this workflow. */
  readonly child?: { readonly nodes: readonly object[]; readonly [field: string]: unknown };
  /** Responses of `https://api.example.com` by method and path. */
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly status: 'completed' | 'failed';
  /** Expected fields of the output or, if the workflow fails, of the error. */
  readonly result: unknown;
}

/** Describes for each capability how the service treats a node type that has it. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  pure: 'It touches nothing outside, so its result needs no commit of its own.',
  cacheable: 'Its results are cached if `config.cache_enabled` is true.',
  cacheable_on_request: 'Its results are cached if the node has `cache`.',
  suspends: 'It may suspend the execution, which then costs one row of the database.',
  starts_children: 'It starts another execution.',
  iterates: 'It runs nodes of its own for each element of a list.',
};

/** Examples by node type, from `docs/node-types/<type>.json`. */
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

/** Returns the texts of the pages by path: an index and a page for each node type. */
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

A node has an \`id\`, a \`type\` and the parameters of its type in \`with\`. Strings in \`with\` may hold
[expressions](../expressions.md). \`GET /v1/node-types\` returns the same descriptions, and also those of plug-ins.

${table(
  ['type', 'what it does'],
  types.map(({ type, description }) => [`[${code(type)}](${type}.md)`, description]),
)}

## Fields of every node

${table(
  ['field', 'meaning'],
  [
    ['`id`', 'Required. A lower-case letter, then up to 63 lower-case letters, digits and underscores.'],
    ['`type`', 'Required. One of the table above, or a type of a plug-in.'],
    ['`name`', 'Shown instead of the id.'],
    ['`needs`', 'Ids of nodes that must be done first. Nodes named in expressions are added.'],
    ['`if`', 'A condition, without braces. The node is skipped if it is false.'],
    ['`with`', 'The parameters of the type.'],
    [
      '`retry`',
      '`max_attempts` (1 to 10), `backoff` (`fixed` or `exponential`), `initial_delay_ms`, `max_delay_ms`, `jitter`. Without it: one attempt.',
    ],
    ['`timeout_seconds`', 'Ends an attempt that takes longer.'],
    [
      '`on_error`',
      '`fail` (default) fails the execution. `continue` lets later nodes read `nodes.<id>.error`.',
    ],
    ['`cache`', '`ttl_seconds`: an equal earlier result is used instead of running the node.'],
  ],
)}

To add your own type, see [adding a node type](../adding-a-node-type.md).
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
    parts.push(`The signal ${code(name)} brings:`, json(payload));
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
