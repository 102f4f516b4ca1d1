import {
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { FOREACH_SCHEMA } from './foreach.schema.js';

/** Runs nodes for each element of a list. The engine executes it; this class only describes it. */
@NodeType({
  type: 'foreach',
  version: 1,
  title: 'For each',
  description:
    'Runs nodes for each element of a list, several at once, and gives the list of what each item gave, in order.',
  schema: FOREACH_SCHEMA,
  outputSchema: {
    type: 'array',
    description:
      'For each item its output, in the order of the items; `{"error": {...}}` for one that failed, where the others go on.',
  },
  capabilities: { iterates: true },
})
export class ForeachNode implements NodeTypeContract {
  /** @throws NodeFailure always: the engine never runs an attempt of it. */
  run(): NodeResult {
    throw new NodeFailure('node_error', 'A node that iterates is carried on by the engine.', {
      retryable: false,
    });
  }
}
