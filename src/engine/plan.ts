import {
  MAX_NODES,
  NODE_ID,
  type NodeDefinition,
  type OnError,
  type WorkflowConfig,
  type WorkflowDefinition,
} from './definition.js';
import { compileExpression, type Expression, ExpressionSyntaxError } from './expression.js';
import { at, type Fault } from './fault.js';
import { buildGraph, type GraphNode, unknownNode } from './graph.js';
import type { JsonObject } from './json.js';
import type { NodeTypeDescription } from './node-type.js';
import { type RetryPolicy, retryPolicy } from './retry.js';
import { compileTemplate, type Template } from './template.js';

/** A definition made ready to run: parsed, checked, ordered. Immutable; cached by workflow version. */
export interface Plan {
  readonly nodes: ReadonlyMap<string, PlannedNode>;
  /** Every node after all that it needs. */
  readonly order: readonly PlannedNode[];
  /** Nodes that no other needs. */
  readonly last: readonly PlannedNode[];
  readonly config: WorkflowConfig;
  readonly output: Template | null;
}

export interface PlannedNode {
  readonly id: string;
  /** What people call it; null where only the id names it. */
  readonly name: string | null;
  readonly type: NodeTypeDescription;
  readonly needs: readonly string[];
  readonly condition: Expression | null;
  readonly with: Template;
  readonly retry: RetryPolicy;
  /** Time for one attempt in milliseconds; null where only the execution's own timeout counts. */
  readonly timeoutMs: number | null;
  readonly onError: OnError;
  /** Lifetime of a cached result in seconds; null where the node says nothing. */
  readonly cacheTtlSeconds: number | null;
}

/** What compiling asks of the catalogue of node types. */
export interface NodeTypeCatalog {
  find(type: string): CatalogedNodeType | undefined;
  /** Names of all types, for the message about an unknown one. */
  names(): readonly string[];
}

export interface CatalogedNodeType {
  readonly description: NodeTypeDescription;
  /** Faults of a `with` that still has expressions in it. */
  checkDefinition(parameters: JsonObject, path: string): readonly Fault[];
}

/** A plan, or everything that is wrong with the definition; never both. */
export type CompiledPlan =
  | { readonly plan: Plan; readonly faults: readonly [] }
  | { readonly plan: null; readonly faults: readonly Fault[] };

/** Names that an expression of a node may use. */
const NODE_SCOPE = ['input', 'nodes', 'session', 'workflow', 'execution'] as const;

export function compilePlan(definition: WorkflowDefinition, catalog: NodeTypeCatalog): CompiledPlan {
  const faults: Fault[] = [];
  if (definition.nodes.length > MAX_NODES)
    faults.push({
      path: 'nodes',
      code: 'too_many_nodes',
      message: `A workflow has at most ${MAX_NODES} nodes; this one has ${definition.nodes.length}.`,
    });
  const compiled = definition.nodes.map((node, index) =>
    compileNode(node, at('nodes', index), catalog, faults),
  );
  const { graph, faults: graphFaults } = buildGraph(compiled);
  faults.push(...graphFaults);
  const output =
    definition.output === undefined ? null : compileTemplate(definition.output, 'output', NODE_SCOPE);
  if (output !== null) {
    faults.push(...output.faults);
    const ids = new Set(definition.nodes.map(({ id }) => id));
    for (const id of output.template.references.nodes)
      if (!ids.has(id)) faults.push(unknownNode('output', 'The output', id));
  }
  if (faults.length > 0) return { plan: null, faults };
  const order = planned(graph.order);
  const plan: Plan = {
    nodes: new Map(order.map((node) => [node.id, node])),
    order,
    last: planned(graph.last),
    config: definition.config,
    output: output?.template ?? null,
  };
  return { plan, faults: [] };
}

interface CompiledNode extends GraphNode {
  /** Null where its type is not known. */
  readonly node: PlannedNode | null;
}

function planned(compiled: readonly CompiledNode[]): readonly PlannedNode[] {
  return compiled.map(({ node }) => node).filter((node) => node !== null);
}

function compileNode(
  definition: NodeDefinition,
  path: string,
  catalog: NodeTypeCatalog,
  faults: Fault[],
): CompiledNode {
  const { id } = definition;
  if (!NODE_ID.test(id))
    faults.push({
      path: at(path, 'id'),
      code: 'invalid_node_id',
      message:
        'A node id begins with a small letter and goes on with small letters, digits and underscores, 64 at most.',
    });
  const type = catalog.find(definition.type);
  if (type === undefined)
    faults.push({
      path: at(path, 'type'),
      code: 'unknown_node_type',
      message: `There is no node type "${definition.type}". Known types: ${catalog.names().join(', ')}.`,
    });
  const parameters = definition.with ?? {};
  const { template, faults: templateFaults } = compileTemplate(
    parameters,
    at(path, 'with'),
    [...NODE_SCOPE, 'secrets'],
    type === undefined ? [] : literalProperties(type.description.schema),
  );
  faults.push(...templateFaults);
  if (type !== undefined) faults.push(...type.checkDefinition(parameters, at(path, 'with')));
  const condition =
    definition.if === undefined ? null : compileCondition(definition.if, at(path, 'if'), faults);
  const needs = new Map<string, string>();
  for (const need of condition?.references.nodes ?? []) needs.set(need, at(path, 'if'));
  for (const need of template.references.nodes) needs.set(need, at(path, 'with'));
  for (const need of definition.needs ?? []) needs.set(need, at(path, 'needs'));
  if (type === undefined) return { id, needs, path, node: null };
  return {
    id,
    needs,
    path,
    node: {
      id,
      name: definition.name ?? null,
      type: type.description,
      needs: [...needs.keys()],
      condition,
      with: template,
      retry: retryPolicy(definition.retry),
      timeoutMs: definition.timeout_seconds === undefined ? null : definition.timeout_seconds * 1_000,
      onError: definition.on_error ?? 'fail',
      cacheTtlSeconds: definition.cache?.ttl_seconds ?? null,
    },
  };
}

/** Names of the properties that a schema declares to be no templates. */
function literalProperties(schema: JsonObject): readonly string[] {
  return Object.entries(schema['properties'] ?? {})
    .filter(([, property]) => (property as JsonObject)['x-literal'] === true)
    .map(([name]) => name);
}

function compileCondition(source: string, path: string, faults: Fault[]): Expression | null {
  try {
    return compileExpression(source, NODE_SCOPE);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    faults.push({ path, code: error.code, message: error.message });
    return null;
  }
}
