import {
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { FOREACH_SCHEMA } from './foreach.schema.js';

/** Describes the node type `foreach`. The engine itself runs the nodes of a loop. */
@NodeType({
  type: 'foreach',
  version: 1,
  title: 'For each',
  description:
    'Runs nodes for each element of a list, several at the same time. The output is a list with the output of each element, in the order of the elements.',
  schema: FOREACH_SCHEMA,
  outputSchema: {
    type: 'array',
    description:
      'The outputs of all items, in the order of the items. If `on_error` is `continue`, the output of a failed item is `{"error": {...}}`.',
  },
  capabilities: { iterates: true },
})
export class ForeachNode implements NodeTypeContract {
  /** @throws NodeFailure always, because the engine never calls `run` for a `foreach` node. */
  run(): NodeResult {
    throw new NodeFailure(
      'node_error',
      'The engine runs foreach nodes itself, so this method must not be called.',
      {
        retryable: false,
      },
    );
  }
}
