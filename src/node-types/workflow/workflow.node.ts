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
  description: 'Starts another workflow of the project and gives its output.',
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
        description: 'Without it the newest.',
      },
      input: { title: 'Input', description: "Any JSON that satisfies the workflow's input schema." },
    },
  },
  outputSchema: { description: "The child's output." },
  capabilities: { startsChildren: true },
})
export class WorkflowNode implements NodeTypeContract {
  /** @throws NodeFailure `child_failed` if the child did not complete; a retry starts a new child. */
  run({
    with: { workflow_id: workflowId, version, input },
    resumption,
  }: NodeContext<WorkflowParameters>): NodeResult {
    if (resumption?.kind !== 'child')
      return startChild({ workflowId, version: version ?? null, input: input ?? null });
    const { id, status, output: given, error } = resumption;
    if (status === 'completed') return output(given);
    throw new NodeFailure('child_failed', `The child execution ${id} ended ${status}.`, {
      details: { execution_id: id, status, error: error === null ? null : { ...error } },
    });
  }
}
