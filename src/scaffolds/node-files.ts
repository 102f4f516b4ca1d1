import type { Files } from './files.js';
import type { NodeName } from './node-name.js';

export interface Imports {
  readonly contract: string;
  readonly schemaType: string;
  readonly testing: string;
  readonly runner: string;
}

export const FROM_PACKAGE: Imports = {
  contract: `import {
  type NodeContext,
  type NodeResult,
  NodeType,
  type NodeTypeContract,
  output,
} from 'workflow-service/node';`,
  schemaType: `import type { JsonObject } from 'workflow-service/node';`,
  testing: `import { checkNodeType, testNode } from 'workflow-service/testing';`,
  runner: `import { it } from 'node:test';`,
};

/** Import statements of a node type in the folder `src/node-types` of the service. */
export const FROM_NODE_TYPES_ROOM: Imports = {
  contract: `import {
  type NodeContext,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';`,
  schemaType: `import type { JsonObject } from '../../expressions/index.js';`,
  testing: `import { checkNodeType, testNode } from '../../nodes/index.js';`,
  runner: `import { it } from 'vitest';`,
};

/** Returns the files of a working node type: class, schemas and tests. */
export function nodeFiles({ type, file, pascal, title }: NodeName, imports: Imports): Files {
  const schemas = constantName(file);
  return {
    [`${file}.schema.ts`]: `${imports.schemaType}

/** JSON Schema of the parameters in \`with\`. */
export const ${schemas}_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    text: { type: 'string', title: 'Text', description: 'Text to repeat.' },
    times: { type: 'integer', minimum: 1, maximum: 100, title: 'Times', description: 'Default: 1.' },
  },
  examples: [{ text: 'again' }],
};

/** JSON Schema of the output. */
export const ${schemas}_OUTPUT: JsonObject = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', description: 'The repeated text.' } },
};
`,
    [`${file}.node.ts`]: `${imports.contract}
import { ${schemas}_OUTPUT, ${schemas}_SCHEMA } from './${file}.schema.js';

type ${pascal}Parameters = { readonly text: string; readonly times?: number };

/** Repeats a text. */
@NodeType({
  type: '${type}',
  version: 1,
  title: '${title}',
  description: 'Repeats a text.',
  schema: ${schemas}_SCHEMA,
  outputSchema: ${schemas}_OUTPUT,
  // Remove \`pure\` if the node reads or changes anything except its parameters.
  capabilities: { pure: true },
})
export class ${pascal}Node implements NodeTypeContract {
  run({ with: { text, times = 1 } }: NodeContext<${pascal}Parameters>): NodeResult {
    return output({ text: text.repeat(times) });
  }
}
`,
    [`${file}.node.spec.ts`]: `import { deepEqual, rejects } from 'node:assert/strict';
${imports.runner}
${imports.testing}
import { ${pascal}Node } from './${file}.node.js';

it('meets the contract of node types', async () => {
  await checkNodeType(${pascal}Node, {
    examples: [{ with: { text: 'ha', times: 3 }, output: { text: 'hahaha' } }],
  });
});

it('evaluates expressions in its parameters', async () => {
  const { output } = await testNode(${pascal}Node, {
    with: { text: '{{ input.word }}' },
    scope: { input: { word: 'again' } },
  });
  deepEqual(output, { text: 'again' });
});

it('names the invalid parameter in the error', async () => {
  const invalid = { with: { text: 'ha', times: 0 } };
  await rejects(testNode(${pascal}Node, invalid), /^NodeTestError: with\\.times: /);
});
`,
  };
}

/**
 * Returns the README of a node type.
 *
 * @param registration one or two sentences on how to register the type with the service
 */
export function nodeReadme({ type, title }: NodeName, registration: string): string {
  return `# ${title}

\`\`\`json
{ "id": "again", "type": "${type}", "with": { "text": "{{ input.text }}", "times": 2 } }
\`\`\`

- \`text\`: text to repeat
- \`times\`: number of repetitions, an integer from 1 to 100. Default: 1

The output is \`{ "text": "..." }\`.

${registration}
`;
}

function constantName(file: string): string {
  return file.toUpperCase().replaceAll('-', '_');
}
