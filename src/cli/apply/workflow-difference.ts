import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_CONFIG } from '../../engine/index.js';
import type { WorkflowView } from '../../workflows/index.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a document would change the definition of a workflow. Such a change creates a new version of the workflow.
 */
export function changesDefinition(document: Fields, workflow: WorkflowView): boolean {
  return !isDeepStrictEqual(definitionOf(document), definitionOf(workflow));
}

/** Whether a document would change the name, the description, the status or the tags of a workflow. */
export function changesDetails(document: Fields, workflow: WorkflowView): boolean {
  const { name, description, status, tags } = workflow;
  return !isDeepStrictEqual(
    {
      name: document['name'],
      description: document['description'] ?? '',
      status: document['status'] ?? status,
      tags: document['tags'] ?? [],
    },
    { name, description, status, tags },
  );
}

/**
 * Adds defaults to the definition in a document and removes null fields, as the service does before it stores a
 * definition.
 */
function definitionOf({ nodes, config, input_schema, output }: Fields | WorkflowView): Fields {
  return {
    nodes: nodes ?? [],
    config: { ...DEFAULT_CONFIG, ...withoutNull(config) },
    ...withoutNull({ input_schema, output }),
  };
}

function withoutNull(fields: unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
}
