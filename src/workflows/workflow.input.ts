import type { NodeDefinition } from '../engine/index.js';
import type { NodeDto, WorkflowBody } from './workflow.dto.js';
import type { WorkflowInput } from './workflow.js';

/** What a checked body asks for. A field that is null counts as left out. */
export function workflowInput({ nodes, config, ...body }: WorkflowBody): WorkflowInput {
  return {
    ...present(body),
    ...(config === undefined || config === null ? {} : { config: present(config) }),
    ...(nodes === undefined || nodes === null ? {} : { nodes: nodes.map(nodeDefinition) }),
  };
}

function nodeDefinition({ retry, cache, ...node }: NodeDto): NodeDefinition {
  return {
    ...present(node),
    ...(retry === undefined || retry === null ? {} : { retry: present(retry) }),
    ...(cache === undefined || cache === null ? {} : { cache: present(cache) }),
  };
}

function present<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, own]) => own !== undefined && own !== null),
  ) as T;
}
