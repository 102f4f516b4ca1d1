import type { NodeDefinition } from '../engine/index.js';
import { defined } from '../platform/index.js';
import type { NodeDto, WorkflowBody } from './workflow.dto.js';
import type { WorkflowInput } from './workflow.js';

/**
 * Converts the validated body of a request to a workflow input. A null in a nullable field counts as an omitted field.
 */
export function workflowInput({ nodes, config, ...body }: WorkflowBody): WorkflowInput {
  return {
    ...present(body),
    ...defined({ config: config && present(config), nodes: nodes?.map(nodeDefinition) }),
  };
}

function nodeDefinition({ retry, cache, ...node }: NodeDto): NodeDefinition {
  return {
    ...present(node),
    ...defined({ retry: retry && present(retry), cache: cache && present(cache) }),
  };
}

function present<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, own]) => own !== undefined && own !== null),
  ) as T;
}
