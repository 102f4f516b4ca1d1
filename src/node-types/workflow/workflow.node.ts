import type { Json } from '../../expressions/index.js';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
  startChild,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';

type WorkflowParameters = { readonly workflow_id: string; readonly version?: number; readonly input?: Json };

/** Starts another workflow as a child execution and waits for its end. */
@NodeType({
  type: 'workflow',
  version: 1,
  title: 'Workflow',
  description: 'Starts another workflow of the project and returns its output.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['workflow_id'],
    properties: {
      workflow_id: { type: 'string', format: 'uuid', title: 'Workflow' },
      version: {
        type: 'integer',
        minimum: 1,
        maximum: 2_147_483_647,
        title: 'Version',
        description: 'Version of the workflow. Default: the newest version.',
      },
      input: { title: 'Input', description: 'Any JSON that matches the input schema of the workflow.' },
    },
  },
  outputSchema: { description: 'The output of the child execution.' },
  capabilities: { startsChildren: true },
})
export class WorkflowNode implements NodeTypeContract {
  /**
   * Requests a child execution. When the child has ended, this method is called again and returns the child's output.
   *
   * @throws NodeFailure `child_failed` if the child did not complete; a retry of the node starts a new child.
   */
  run({
    with: { workflow_id: workflowId, version, input },
    resumption,
  }: NodeContext<WorkflowParameters>): NodeResult {
    if (resumption?.kind !== 'child')
      return startChild({ workflowId, version: version ?? null, input: input ?? null });
    const { id, status, output: given, error } = resumption;
    if (status === 'completed') return output(given);
    throw new NodeFailure('child_failed', `The child execution ${id} ended with status ${status}.`, {
      details: { execution_id: id, status, error: error === null ? null : { ...error } },
    });
  }
}
