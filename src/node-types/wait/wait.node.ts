import { Inject } from '@nestjs/common';
import { ROLES } from '../../access/index.js';
import type { ApproverRules } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import {
  type LiteralWait,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
  suspend,
} from '../../node-contract/index.js';
import { SIGNAL_NAME } from '../../engine/index.js';
import { CLOCK, type Clock } from '../../platform/index.js';
import { NodeType } from '../../nodes/index.js';

type WaitParameters = {
  readonly signal: string;
  readonly timeout_seconds?: number;
  readonly remind_every_seconds?: number;
  readonly approval?: {
    readonly title: string;
    readonly description?: string;
    readonly approvers?: ApproverRules;
  };
};

/** Longest wait in seconds: one year. */
const MAX_WAIT_SECONDS = 31_536_000;

/** Suspends the execution until a signal arrives, optionally with an approval request. */
@NodeType({
  type: 'wait',
  version: 1,
  title: 'Wait',
  description:
    'Waits for a signal. The signal may arrive before the wait begins. The output is the payload of the signal. With `approval`, a person approves or rejects by following a link.',
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
        maximum: MAX_WAIT_SECONDS,
        title: 'Timeout',
        description:
          'Seconds after which the node fails if no signal has arrived. Default: only the timeout of the workflow applies.',
      },
      remind_every_seconds: {
        type: 'integer',
        minimum: 60,
        maximum: MAX_WAIT_SECONDS,
        title: 'Reminder interval',
        description:
          'Seconds between reminders until the signal arrives. A reminder is an event `workflow.node.progress` that contains the field `reminder`.',
      },
      approval: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        title: 'Approval',
        description:
          'Asks a person for a decision. The event `workflow.node.waiting` then contains an `approve_url` and a `reject_url`.',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200, title: 'Title' },
          description: { type: 'string', maxLength: 2000, title: 'Description' },
          approvers: {
            type: 'object',
            additionalProperties: false,
            minProperties: 1,
            title: 'Approvers',
            description:
              'People who may decide. They must sign in to the dashboard. Default: anyone with the link may decide.',
            properties: {
              users: {
                type: 'array',
                minItems: 1,
                maxItems: 100,
                items: { type: 'string', minLength: 1, maxLength: 320 },
                title: 'Users',
                description: 'Team members who may decide, by id or email address.',
              },
              roles: {
                type: 'array',
                minItems: 1,
                items: { enum: [...ROLES] },
                title: 'Roles',
                description: 'Roles in the team. Members with one of these roles may decide.',
              },
              signed_in: {
                type: 'boolean',
                enum: [true],
                title: 'Signed in',
                description:
                  'If true, every signed-in team member may decide, unless `users` or `roles` is set.',
              },
              exclude_starter: {
                type: 'boolean',
                title: 'Exclude the person who started the execution',
                description: 'If true, the person who started or retried the execution may not decide.',
              },
            },
          },
        },
      },
    },
  },
  outputSchema: {
    description:
      'The payload of the signal. For an approval, an object with `approved`, `at`, `via`, `by` and `address`, and with `comment` if the person entered one.',
  },
  capabilities: { suspends: true },
})
export class WaitNode implements NodeTypeContract {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** @throws NodeFailure `wait_timeout` if the signal does not arrive in time. */
  run({
    with: { signal, timeout_seconds: seconds, remind_every_seconds: remindEvery, approval },
    resumption,
  }: NodeContext<WaitParameters>): NodeResult {
    if (resumption?.kind === 'signal') return output(resumption.payload);
    if (resumption !== null)
      throw new NodeFailure(
        'wait_timeout',
        `The signal "${signal}" did not arrive within ${seconds} seconds.`,
        {
          retryable: false,
        },
      );
    return suspend({
      for: 'signal',
      signal,
      until: seconds === undefined ? null : this.clock.now() + Math.ceil(seconds * 1_000),
      ...(remindEvery === undefined ? {} : { remindEveryMs: remindEvery * 1_000 }),
      ...(approval === undefined ? {} : { approval }),
    });
  }

  literalWait({ timeout_seconds: seconds }: JsonObject): LiteralWait | null {
    return typeof seconds === 'number' ? { path: 'timeout_seconds', ms: seconds * 1_000 } : null;
  }
}
