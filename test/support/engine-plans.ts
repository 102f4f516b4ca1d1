import {
  compilePlan,
  DEFAULT_CONFIG,
  type NodeDefinition,
  type NodeTypeCatalog,
  type Plan,
  type EvaluationContext,
  type WorkflowConfig,
} from '../../src/engine/index.js';
import type { NodeCapabilities, NodeTypeDescription } from '../../src/node-contract/index.js';
import type { Json } from '../../src/expressions/index.js';

const CAPABILITIES: ReadonlyMap<string, NodeCapabilities> = new Map([
  ['pure', { pure: true }],
  ['effect', {}],
  ['sleeper', { suspends: true }],
  ['loop', { iterates: true }],
  ['shared', { cacheable: true }],
  ['shared-if-asked', { cacheableOnRequest: true }],
]);

/**
 * A catalog of node types that differ only in their capabilities. Each type refuses definitions with a parameter
 * `refused`.
 */
export const CATALOG: NodeTypeCatalog = {
  find: (type) => {
    const capabilities = CAPABILITIES.get(type);
    if (capabilities === undefined) return undefined;
    return {
      description: describe(type, capabilities),
      checkDefinition: (parameters, path) =>
        'refused' in parameters ? [{ path: `${path}.refused`, code: 'schema', message: 'Refused.' }] : [],
      literalWait: () => null,
    };
  },
  names: () => [...CAPABILITIES.keys()],
};

export const EVALUATION_CONTEXT: EvaluationContext = {
  workflow: { id: 'workflow-1', name: 'Orders', version: 3 },
  execution: { id: 'execution-1', attempt: 1 },
  session: { id: null, state: {} },
};

/** The secrets to which randomly generated workflows refer. */
export const SECRETS = { token: 's3cret' };

/** Compiles a workflow definition. @throws Error if the definition has errors */
export function planOf(
  nodes: readonly NodeDefinition[],
  config: Partial<WorkflowConfig> = {},
  output?: Json,
): Plan {
  const { plan, faults } = compilePlan(
    { nodes, config: { ...DEFAULT_CONFIG, ...config }, ...(output === undefined ? {} : { output }) },
    CATALOG,
  );
  if (plan === null) throw new Error(faults.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return plan;
}

function describe(type: string, capabilities: NodeCapabilities): NodeTypeDescription {
  return { type, version: 1, title: type, description: type, schema: {}, outputSchema: {}, capabilities };
}
