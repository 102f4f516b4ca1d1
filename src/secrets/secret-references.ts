import type { NodeDefinition, NodeTypeCatalog, WorkflowDefinition } from '../engine/index.js';
import { at, compileTemplate, type Json, type JsonObject } from '../expressions/index.js';

export interface SecretReference {
  readonly name: string;
  /** Path of the first string that refers to the secret, such as `nodes[2].with.headers.Authorization`. */
  readonly path: string;
}

/** Finds the secrets to which the nodes of a workflow definition refer. The definition may be invalid. */
export function secretReferences(
  { nodes }: Pick<WorkflowDefinition, 'nodes'>,
  catalog: NodeTypeCatalog,
): readonly SecretReference[] {
  return nodes.flatMap((node, index) => referencesOf(node, at('nodes', index), catalog));
}

function referencesOf(
  { type, with: parameters = {} }: NodeDefinition,
  path: string,
  catalog: NodeTypeCatalog,
): readonly SecretReference[] {
  const description = catalog.find(type)?.description;
  if (description?.capabilities.iterates === true && isNodeList(parameters['nodes']))
    return parameters['nodes'].flatMap((inner, index) =>
      referencesOf(inner as unknown as NodeDefinition, at(path, 'with.nodes', index), catalog),
    );
  const literals = literalProperties(description?.schema ?? {});
  const { template } = compileTemplate(parameters, at(path, 'with'), SCOPE, literals);
  return [...template.secretPlaces].map(([name, place]) => ({ name, path: place }));
}

/**
 * Every variable that an expression in a workflow can use. Only the compiler checks which of the variables a field
 * allows.
 */
const SCOPE = ['input', 'nodes', 'session', 'workflow', 'execution', 'secrets', 'item', 'index'];

function isNodeList(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((node: Json) => typeof node === 'object' && node !== null);
}

/** Returns the names of parameters that cannot contain expressions, such as the source code of a `code` node. */
function literalProperties({ properties = {} }: JsonObject): readonly string[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, property]) =>
    property['x-literal'] === true ? [name] : [],
  );
}
