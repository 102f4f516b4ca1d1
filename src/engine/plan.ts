import { type NodeDefinition, type WorkflowConfig, type WorkflowDefinition, LIMITS } from './definition.js';
import { at, type Fault, compileTemplate } from '../expressions/index.js';
import { buildGraph, type OtherNodes, unknownNode } from './graph.js';
import { compileBody, loopDefinition } from './plan-body.js';
import {
  type CompiledNode,
  compileNode,
  isLoop,
  NODE_SCOPE,
  type NodeTypeCatalog,
  type PlannedGraph,
  type PlannedLoop,
  type PlannedNode,
  plannedOf,
} from './planned-node.js';

/** A compiled workflow definition: parsed, validated and sorted. Plans are immutable and cached by workflow version. */
export interface Plan extends PlannedGraph {
  /** Nodes outside of loops, by id. A loop contains its nodes in its `body`. */
  readonly nodes: ReadonlyMap<string, PlannedNode>;
  readonly loops: readonly PlannedLoop[];
  readonly config: WorkflowConfig;
}

/** Result of a compilation: a plan, or all errors of the workflow definition. */
export type CompiledPlan =
  | { readonly plan: Plan; readonly faults: readonly [] }
  | { readonly plan: null; readonly faults: readonly Fault[] };

export function compilePlan(definition: WorkflowDefinition, catalog: NodeTypeCatalog): CompiledPlan {
  const faults: Fault[] = [];
  const outer = definition.nodes.map((node, index) => compileNode(node, at('nodes', index), catalog, faults));
  const { compiled, otherNodes, bodyNodeCount } = compileLoopBodies(definition.nodes, outer, catalog, faults);
  const count = definition.nodes.length + bodyNodeCount;
  if (count > LIMITS.nodes)
    faults.unshift({
      path: 'nodes',
      code: 'too_many_nodes',
      message: `A workflow can have at most ${LIMITS.nodes} nodes, including nodes inside loops. This workflow has ${count}.`,
    });
  faults.push(...configFaults(definition.config));
  const { graph, faults: graphFaults } = buildGraph(compiled, otherNodes);
  faults.push(...graphFaults);
  const output =
    definition.output === undefined ? null : compileTemplate(definition.output, 'output', NODE_SCOPE);
  if (output !== null) {
    faults.push(...output.faults);
    const ids = new Set(definition.nodes.map(({ id }) => id));
    for (const [id, place] of output.template.places)
      if (!ids.has(id)) faults.push(unknownNode(place, 'The output', id, otherNodes));
  }
  if (faults.length > 0) return { plan: null, faults };
  const order = plannedOf(graph.order);
  const plan: Plan = {
    nodes: new Map(order.map((node) => [node.id, node])),
    order,
    last: plannedOf(graph.last),
    loops: order.filter(isLoop),
    config: definition.config,
    output: output?.template ?? null,
  };
  return { plan, faults: [] };
}

function configFaults({ timeout_counts, deadline_seconds }: WorkflowConfig): readonly Fault[] {
  if (deadline_seconds === null || timeout_counts === 'active') return [];
  return [
    {
      path: 'config.deadline_seconds',
      code: 'deadline_needs_active_time',
      message:
        'A deadline needs `timeout_counts: "active"`. Elapsed time is already limited by `timeout_seconds`.',
    },
  ];
}

/**
 * Compiles the bodies of all loops. An outer node that a body references becomes a dependency of the loop.
 */
function compileLoopBodies(
  definitions: readonly NodeDefinition[],
  outer: readonly CompiledNode[],
  catalog: NodeTypeCatalog,
  faults: Fault[],
): {
  readonly compiled: readonly CompiledNode[];
  readonly otherNodes: OtherNodes;
  readonly bodyNodeCount: number;
} {
  const loops = new Map<string, string>();
  let bodyNodeCount = 0;
  outer.forEach(({ id, iterates }, index) => {
    if (!iterates) return;
    const { nodes } = loopDefinition(definitions[index] as NodeDefinition);
    bodyNodeCount += nodes.length;
    for (const node of nodes) loops.set(node.id, id);
  });
  const outerIds = new Set(outer.map(({ id }) => id));
  const paths = new Map(outer.map(({ id, path }) => [id, path]));
  const compiled = outer.map((loop, index): CompiledNode => {
    const { id, path, node, iterates } = loop;
    const own = definitions[index] as NodeDefinition;
    if (node === null || !iterates) return loop;
    if (own.retry !== undefined)
      faults.push({
        path: at(path, 'retry'),
        code: 'retry_of_loop',
        message: `A node of type "${own.type}" cannot be retried as a whole. Put \`retry\` on the nodes inside this node.`,
      });
    const definition = loopDefinition(own);
    const otherNodes = { paths: new Map(paths), loops };
    const { body, needs } = compileBody(
      { id, path, definition, outer: outerIds, otherNodes },
      catalog,
      faults,
    );
    definition.nodes.forEach((one, place) => paths.set(one.id, at(path, 'with.nodes', place)));
    const all = new Map([...needs, ...loop.needs]);
    return { ...loop, needs: all, node: { ...node, needs: [...all.keys()], body } };
  });
  return { compiled, otherNodes: { paths: new Map(), loops }, bodyNodeCount };
}
