import { Inject } from '@nestjs/common';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
  SIGNAL_NAME,
  suspend,
} from '../../engine/index.js';
import { CLOCK, type Clock } from '../../platform/index.js';
import { NodeType } from '../node-type.decorator.js';

type WaitParameters = {
  readonly signal: string;
  readonly timeout_seconds?: number;
  readonly approval?: { readonly title: string; readonly description?: string };
};

/** Waits for a signal, held by the database alone; a person may be asked for it. */
@NodeType({
  type: 'wait',
  version: 1,
  title: 'Wait',
  description:
    'Waits for a signal, which may be sent before; its payload is the output. With an approval, a link lets a person decide.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['signal'],
    properties: {
      signal: {
        type: 'string',
        pattern: SIGNAL_NAME.source,
        title: 'Signal',
        description: 'Name of the signal, as in `POST /v1/executions/{id}/signals/{name}`.',
      },
      timeout_seconds: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 31_536_000,
        title: 'Timeout',
        description: 'Seconds after which it fails; without it the timeout of the workflow counts alone.',
      },
      approval: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        title: 'Approval',
        description: 'Adds an `approve_url` and a `reject_url` to the waiting event.',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200, title: 'Title' },
          description: { type: 'string', maxLength: 2000, title: 'Description' },
        },
      },
    },
  },
  outputSchema: {
    description: "The signal's payload; of an approval by link `approved`, `at` and `via`.",
  },
  capabilities: { suspends: true },
})
export class WaitNode implements NodeTypeContract {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** @throws NodeFailure `wait_timeout` where the signal did not come in time. */
  run({
    with: { signal, timeout_seconds: seconds, approval },
    resumption,
  }: NodeContext<WaitParameters>): NodeResult {
    if (resumption?.kind === 'signal') return output(resumption.payload);
    if (resumption !== null)
      throw new NodeFailure(
        'wait_timeout',
        `The signal "${signal}" did not come within ${seconds} seconds.`,
        {
          retryable: false,
        },
      );
    return suspend({
      for: 'signal',
      signal,
      until: seconds === undefined ? null : this.clock.now() + Math.ceil(seconds * 1_000),
      ...(approval === undefined ? {} : { approval }),
    });
  }
}
