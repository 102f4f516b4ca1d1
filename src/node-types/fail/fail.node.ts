import type { Json } from '../../expressions/index.js';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';

type FailParameters = { readonly message: string; readonly details?: Json };

/** Fails the workflow, or a branch of the workflow, with an error message from the author of the workflow. */
@NodeType({
  type: 'fail',
  version: 1,
  title: 'Fail',
  description:
    'Fails with a custom message. Use the node with `if` to end an execution that should not continue.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['message'],
    properties: {
      message: { type: 'string', minLength: 1, maxLength: 2000, title: 'Message' },
      details: { title: 'Details', description: 'Any JSON, stored with the error.' },
    },
  },
  outputSchema: { not: {}, description: 'This node has no output.' },
  capabilities: { pure: true },
})
export class FailNode implements NodeTypeContract {
  /** @throws NodeFailure `failed_by_workflow`, always. */
  run({ with: { message, details } }: NodeContext<FailParameters>): NodeResult {
    throw new NodeFailure('failed_by_workflow', message, {
      retryable: false,
      ...(details === undefined ? {} : { details }),
    });
  }
}
