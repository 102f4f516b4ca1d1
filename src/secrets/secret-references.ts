import type { NodeDefinition, NodeTypeCatalog, WorkflowDefinition } from '../engine/index.js';
import { at, compileTemplate, type Json, type JsonObject } from '../expressions/index.js';

/** A secret that a workflow names, and where. */
export interface SecretReference {
  readonly name: string;
  /** Of the first string of the node that names it: `nodes[2].with.headers.Authorization`. */
  readonly path: string;
}

/** Every secret that the nodes of a definition name, those inside of loops included; the definition may have faults. */
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

/** Every name that an expression may use somewhere: what is wrong here, the plan says. */
const SCOPE = ['input', 'nodes', 'session', 'workflow', 'execution', 'secrets', 'item', 'index'];

function isNodeList(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((node: Json) => typeof node === 'object' && node !== null);
}

/** Parameters that are no templates, such as the source of a program. */
function literalProperties({ properties = {} }: JsonObject): readonly string[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).flatMap(([name, property]) =>
    property['x-literal'] === true ? [name] : [],
  );
}
