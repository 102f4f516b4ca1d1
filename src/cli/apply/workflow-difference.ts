import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_CONFIG } from '../../engine/index.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a document would change the definition of a workflow, so that it gets a new version. */
export function changesDefinition(document: Fields, workflow: Fields): boolean {
  return !isDeepStrictEqual(definitionOf(document), definitionOf(workflow));
}

/** Whether a document would change the name, the description, the status or the tags of a workflow. */
export function changesDetails(document: Fields, workflow: Fields): boolean {
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

/** Returns the definition of a valid document as the service stores it: with defaults and without null fields. */
function definitionOf({ nodes, config, input_schema, output }: Fields): Fields {
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
