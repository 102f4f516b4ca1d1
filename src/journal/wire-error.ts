import type { ExecutionError, NodeError } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** Why an execution or an attempt failed, in the form that clients receive. */
export interface WireError {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  /** Id of the failed node. Null if the execution itself failed, and not one of its nodes. */
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
