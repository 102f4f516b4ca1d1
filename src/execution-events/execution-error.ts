import type { Json } from '../expressions/index.js';

/** Why an execution failed, as recorded and as the API returns it. */
export interface ExecutionError {
  readonly type: string;
  readonly message: string;
  readonly node_id: string | null;
  readonly details?: Json;
}
