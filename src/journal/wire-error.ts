import type { ExecutionError, NodeError } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** Why an execution or an attempt failed, as clients read it: the same fields for both. */
export interface WireError {
  /** The same as `code`. */
  readonly type: string;
  readonly code: string;
  readonly message: string;
  /** The node that failed; null where the execution failed by itself. */
  readonly node_id: string | null;
  readonly details?: Json;
}

/** @param nodeId the node of the attempt; an execution's error names its own */
export function wireError(error: NodeError | ExecutionError, nodeId: string | null): WireError {
  const code = 'code' in error ? error.code : error.type;
  return {
    type: code,
    code,
    message: error.message,
    node_id: 'node_id' in error ? error.node_id : nodeId,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}
