import type { Json } from '../../expressions/index.js';
import {
  type NodeContext,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';

type SetParameters = { readonly value: Json };

/** Returns the parameter `value` as output, after its expressions have been evaluated. */
@NodeType({
  type: 'set',
  version: 1,
  title: 'Set',
  description: 'Outputs a value that is built from expressions, for use by later nodes.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['value'],
    properties: { value: { title: 'Value', description: 'Any JSON.' } },
  },
  outputSchema: { description: 'The value.' },
  capabilities: { pure: true },
})
export class SetNode implements NodeTypeContract {
  run({ with: { value } }: NodeContext<SetParameters>): NodeResult {
    return output(value);
  }
}
