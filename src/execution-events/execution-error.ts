import type { Json } from '../expressions/index.js';

export interface ExecutionError {
  readonly type: string;
  readonly message: string;
  readonly node_id: string | null;
  readonly details?: Json;
}
