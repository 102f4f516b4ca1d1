import type { JsonObject } from '../../expressions/index.js';
import type { NodeContext } from '../../node-contract/index.js';

/** Creates the context of an attempt for tests. Fields that are not given have defaults. */
export function nodeContext<With extends JsonObject>(
  parameters: With,
  given: Partial<NodeContext> = {},
): NodeContext<With> {
  return {
    executionId: 'execution',
    workflowId: 'workflow',
    projectId: 'project',
    nodeId: 'node',
    attempt: 1,
    iteration: null,
    idempotencyKey: 'execution:node',
    signal: new AbortController().signal,
    timeoutMs: null,
    resumption: null,
    traceContext: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    progress: () => {},
    reserveMemory: () => Promise.resolve(),
    ...given,
    with: parameters,
  };
}
