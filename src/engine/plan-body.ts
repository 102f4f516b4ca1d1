import type { LoopDefinition, NodeDefinition } from './definition.js';
import { at, type Fault, compileTemplate } from '../expressions/index.js';
import { buildGraph, type OtherNodes, unknownNode } from './graph.js';
import {
  type CompiledNode,
  compileNode,
  NODE_SCOPE,
  type NodeTypeCatalog,
  type PlannedBody,
  plannedOf,
} from './planned-node.js';

/** Names that expressions of nodes inside a loop can use. */
const BODY_SCOPE = [...NODE_SCOPE, 'item', 'index'] as const;

/** A loop to compile. The other nodes of the workflow are included, because nodes inside the loop may refer to them. */
export interface LoopToCompile {
  readonly id: string;
  /** Path of the loop, for example `nodes[2]`. */
  readonly path: string;
  readonly definition: LoopDefinition;
  /** Ids of the nodes outside of loops. */
  readonly outer: ReadonlySet<string>;
  readonly otherNodes: OtherNodes;
}

/** Returns the parameters of a loop. The JSON Schema of the node type has already validated their shape. */
export function loopDefinition(node: NodeDefinition): LoopDefinition {
  return node.with as unknown as LoopDefinition;
}

/**
 * Compiles the body of a loop as a separate graph. Outer nodes that the body references become dependencies
 * of the loop.
 * @param faults the function adds the errors of the body to this list; callers must not use a body with
 *   errors
 * @returns the body, and for each needed outer node the path of the reference
 */
export function compileBody(
  { id: loopId, path: loopPath, definition, outer, otherNodes }: LoopToCompile,
  catalog: NodeTypeCatalog,
  faults: Fault[],
): { readonly body: PlannedBody; readonly needs: ReadonlyMap<string, string> } {
  const path = at(loopPath, 'with');
  const compiled = definition.nodes.map((node, index) =>
    compileNode(node, at(path, 'nodes', index), catalog, faults, BODY_SCOPE),
  );
  for (const { node, path: nodePath } of compiled)
    if (node?.type.capabilities.iterates === true)
      faults.push({
        path: at(nodePath, 'type'),
        code: 'nested_loop',
        message: `A node of type "${node.type.type}" cannot be inside another loop. Put the inner loop into a separate workflow and run it with a node of type "workflow".`,
      });
  const needs = new Map<string, string>();
  for (const node of compiled) for (const [id, from] of node.needs) if (outer.has(id)) needs.set(id, from);
  const { graph, faults: graphFaults } = buildGraph(
    compiled.map((node) => withoutNeeds(node, outer)),
    otherNodes,
  );
  faults.push(...graphFaults);
  const output =
    definition.output === undefined
      ? null
      : compileTemplate(definition.output, at(path, 'output'), BODY_SCOPE);
  if (output !== null) {
    faults.push(...output.faults);
    const own = new Set(compiled.map(({ id }) => id));
    for (const [id, place] of output.template.places) {
      if (outer.has(id)) needs.set(id, place);
      else if (!own.has(id)) faults.push(unknownNode(place, `The output of "${loopId}"`, id, otherNodes));
    }
  }
  const body: PlannedBody = {
    order: plannedOf(graph.order),
    last: plannedOf(graph.last),
    output: output?.template ?? null,
    onItemError: definition.on_error ?? 'fail',
  };
  return { body, needs };
}

/** Removes the dependencies of a node that are outside of the loop. */
function withoutNeeds(compiled: CompiledNode, outer: ReadonlySet<string>): CompiledNode {
  const needs = new Map([...compiled.needs].filter(([id]) => !outer.has(id)));
  const { node } = compiled;
  return { ...compiled, needs, node: node === null ? null : { ...node, needs: [...needs.keys()] } };
}
