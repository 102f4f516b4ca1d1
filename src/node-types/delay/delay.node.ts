import { Inject } from '@nestjs/common';
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
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { NodeType } from '../../nodes/index.js';

type DelayParameters = { readonly seconds?: number; readonly until?: string };

/** Suspends the execution until a given time. */
@NodeType({
  type: 'delay',
  version: 1,
  title: 'Delay',
  description:
    'Waits for a number of seconds, or until a given time. If the time is in the past, the node completes immediately.',
  schema: {
    type: 'object',
    additionalProperties: false,
    oneOf: [{ required: ['seconds'] }, { required: ['until'] }],
    properties: {
      seconds: {
        type: 'number',
        minimum: 0,
        maximum: 31_536_000,
        title: 'Seconds',
        description: 'Seconds to wait, at most one year; fractions are allowed.',
      },
      until: {
        type: 'string',
        format: 'date-time',
        title: 'Until',
        description: 'Time at which the wait ends (RFC 3339).',
      },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['woke_at'],
    properties: {
      woke_at: { type: 'string', format: 'date-time', description: 'Time at which the wait ended.' },
    },
  },
  capabilities: { suspends: true },
})
export class DelayNode implements NodeTypeContract {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** @throws NodeFailure `invalid_time` for a date-time that does not exist, such as a leap second. */
  run({ with: { seconds, until }, resumption }: NodeContext<DelayParameters>): NodeResult {
    const now = this.clock.now();
    if (resumption !== null) return wokeAt(resumption.kind === 'timer' ? resumption.at : now);
    const wakeAt = until === undefined ? now + Math.ceil((seconds ?? 0) * 1000) : Date.parse(until);
    if (Number.isNaN(wakeAt))
      throw new NodeFailure(
        'invalid_time',
        `"${until}" is not a valid date and time, because it does not exist in the calendar.`,
        {
          retryable: false,
        },
      );
    return wakeAt <= now ? wokeAt(now) : suspend({ for: 'timer', until: wakeAt });
  }

  literalWait({ seconds, until }: JsonObject): LiteralWait | null {
    if (typeof seconds === 'number') return { path: 'seconds', ms: seconds * 1_000 };
    const ms = typeof until === 'string' ? Date.parse(until) - this.clock.now() : Number.NaN;
    return Number.isNaN(ms) ? null : { path: 'until', ms: Math.max(0, ms) };
  }
}

function wokeAt(epochMs: number): NodeResult {
  return output({ woke_at: isoTime(epochMs) });
}
