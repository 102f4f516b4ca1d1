import type { ExecutionError, NodeError } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** Why an execution or attempt failed, in the form for clients. */
export interface WireError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  /** The failed node. Null for a failure of the execution itself. */
  readonly node_id: string | null;
  readonly details?: Json;
}

/** @param nodeId the node of the failed attempt; null for the error of an execution */
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
