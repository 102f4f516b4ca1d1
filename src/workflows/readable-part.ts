import { isJsonObject, type Json, type JsonObject } from '../expressions/index.js';
import type { NodeDefinition } from '../engine/index.js';
import type { InputFault } from '../errors/index.js';
import type { WorkflowInput } from './workflow.js';

/** Matches the node index and the field in an error path such as `nodes[2].with.url`. */
const NODE_FIELD = /^nodes\[(\d+)\]\.(\w+)/;

/** Fields of a node that must be valid, because further checks of the node need them. */
const REQUIRED_FIELDS: readonly string[] = ['id', 'type'];

/**
 * Returns the valid part of a malformed workflow document, so that further checks can find more errors. Undefined if
 * the missing parts would cause false errors.
 */
export function readablePart(
  document: Json | undefined,
  faults: readonly InputFault[],
): WorkflowInput | undefined {
  if (!isJsonObject(document)) return undefined;
  const { nodes = [], input_schema, output } = document;
  if (!Array.isArray(nodes)) return undefined;
  const faulty = new Map<number, Set<string>>();
  for (const { path } of faults) {
    if (!path.startsWith('nodes')) continue;
    const [, index, field] = NODE_FIELD.exec(path) ?? [];
    if (field === undefined || REQUIRED_FIELDS.includes(field)) return undefined;
    faulty.set(Number(index), (faulty.get(Number(index)) ?? new Set()).add(field));
  }
  return {
    name: '',
    nodes: (nodes as readonly Json[]).map(
      (node, index) => without(node, faulty.get(index)) as unknown as NodeDefinition,
    ),
    ...(isJsonObject(input_schema) ? { input_schema } : {}),
    ...(output === undefined || output === null ? {} : { output }),
  };
}

function without(node: Json, faulty: ReadonlySet<string> = new Set()): JsonObject {
  return Object.fromEntries(Object.entries(node as JsonObject).filter(([name]) => !faulty.has(name)));
}
